package io.kiln.api.function;

/// Makes one value of two values of the same type.
@FunctionalInterface
public interface BinaryOperator<T> extends BiFunction<T, T, T> {}
