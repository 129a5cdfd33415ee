package io.kiln.api.function;

import java.io.Serializable;
import java.util.Comparator;

/// An order that can travel to tasks. A lambda or a method reference given to an operation becomes
/// one by itself; of the JDK's, `Comparator.naturalOrder()`, `Comparator.reverseOrder()` and
/// `String.CASE_INSENSITIVE_ORDER` travel too.
@FunctionalInterface
public interface SerializableComparator<T> extends Comparator<T>, Serializable {}
