package io.kiln.api;

import io.kiln.api.function.BiFunction;
import io.kiln.api.function.BinaryOperator;
import io.kiln.api.function.Function;
import java.io.Serializable;

/// Says how the values of one key become one combined value.
///
/// `mergeValue` and `mergeCombiners` may change and return their first argument.
///
/// @param createCombiner makes a combiner of a key's first value
/// @param mergeValue adds a value to a combiner
/// @param mergeCombiners joins two combiners of a key
public record Aggregator<V, C>(
    Function<? super V, ? extends C> createCombiner,
    BiFunction<C, ? super V, C> mergeValue,
    BinaryOperator<C> mergeCombiners)
    implements Serializable {}
