package io.kiln.api.function;

import java.io.Serializable;
import java.util.Comparator;

/// A comparator that can travel to tasks. A lambda or a method reference that you give to an
/// operation becomes one by itself. Of the JDK's comparators, `Comparator.naturalOrder()`,
/// `Comparator.reverseOrder()` and `String.CASE_INSENSITIVE_ORDER` can travel too.
@FunctionalInterface
public interface SerializableComparator<T> extends Comparator<T>, Serializable {}
