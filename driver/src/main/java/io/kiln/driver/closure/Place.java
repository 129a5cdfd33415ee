package io.kiln.driver.closure;

import java.lang.reflect.Field;

/// An object that a walk has reached, and how.
///
/// @param value not null
/// @param parent what refers to it; `null` for the root
/// @param step how the parent refers to it: a [Field], or text such as `[3]`
/// @param frozen whether the parent guarantees that this array or collection never changes
record Place(Object value, Place parent, Object step, boolean frozen) {

  boolean isRoot() {
    return parent == null;
  }

  /// Whether `object` is on the way from the root to here.
  boolean comesThrough(Object object) {
    for (Place place = this; place != null; place = place.parent) {
      if (place.value == object) {
        return true;
      }
    }
    return false;
  }
}
