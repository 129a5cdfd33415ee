package io.kiln.api.function;

/// Two values of a type to one of the same type.
@FunctionalInterface
public interface BinaryOperator<T> extends BiFunction<T, T, T> {}
