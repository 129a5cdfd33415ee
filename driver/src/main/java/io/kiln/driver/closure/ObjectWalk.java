package io.kiln.driver.closure;

import java.io.NotSerializableException;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;

/// One walk over all that an object reaches, nearest first, without recursion: a cyclic or a very
/// long structure is as good as any. Used once, by one thread.
final class ObjectWalk {
  private final ArrayDeque<Place> waiting = new ArrayDeque<>();
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private Place firstMutable;
  private Obstacle obstacle;

  /// Why something can't be serialised.
  ///
  /// @param place the culprit's
  /// @param inside further steps to the culprit, found by writing `place`; may be empty
  /// @param why what is wrong with the culprit
  record Obstacle(Place place, String inside, String why) {}

  /// Walks until the end, or until something can't be serialised.
  void run(Object root) {
    visit(root, null, "", false);
    while (obstacle == null && !waiting.isEmpty()) {
      expand(waiting.poll());
    }
  }

  /// The nearest thing that may change; `null` if there is none.
  Place firstMutable() {
    return firstMutable;
  }

  /// The nearest thing that can't be serialised; `null` if there is none.
  Obstacle obstacle() {
    return obstacle;
  }

  private void visit(Object value, Place parent, Object step, boolean frozen) {
    if (value == null) {
      return;
    }
    ClassWalk plan = ClassWalk.of(value.getClass());
    if (plan.shape() == ClassWalk.Shape.IMMUTABLE) {
      return;
    }
    if (seen.add(value)) {
      waiting.add(new Place(value, parent, step, frozen));
    } else if (plan.shape() == ClassWalk.Shape.LAMBDA && parent.comesThrough(value)) {
      obstacle =
          new Obstacle(
              new Place(value, parent, step, false),
              "",
              "the function is reached again from what it captures, and Java serialization can't"
                  + " restore that; copy what it needs into local variables");
    }
  }

  private void expand(Place place) {
    Object value = place.value();
    ClassWalk plan = ClassWalk.of(value.getClass());
    if (plan.isMutable() && firstMutable == null && !isFixed(place, plan)) {
      firstMutable = place;
    }
    switch (plan.shape()) {
      case IMMUTABLE, PRIMITIVE_ARRAY -> {}
      case FIELDS, LAMBDA -> walkFields(place, plan);
      case PLATFORM_LAMBDA -> walkPlatformLambda(place);
      case ARRAY -> walkArray(place, (Object[]) value);
      case COLLECTION -> walkCollection(place, (Collection<?>) value);
      case MAP -> walkMap(place, (Map<?, ?>) value);
      case OPTIONAL -> visit(((Optional<?>) value).orElse(null), place, "its value", false);
      case PROXY ->
          visit(Proxy.getInvocationHandler(value), place, "its invocation handler", false);
      case OPAQUE -> tryWriting(place);
      case NOT_SERIALIZABLE ->
          obstacle = new Obstacle(place, "", Advice.notSerializable(value, plan.obstacle()));
    }
  }

  /// Whether this very instance can't change although its class could.
  private static boolean isFixed(Place place, ClassWalk plan) {
    return switch (plan.shape()) {
      case PRIMITIVE_ARRAY, ARRAY ->
          place.frozen() || java.lang.reflect.Array.getLength(place.value()) == 0;
      case COLLECTION, MAP -> place.frozen();
      default -> false;
    };
  }

  private void walkFields(Place place, ClassWalk plan) {
    Field[] references = plan.references();
    for (int i = 0; i < references.length; i++) {
      visit(read(references[i], place.value()), place, references[i], plan.isFrozen(i));
    }
  }

  static Object read(Field field, Object owner) {
    try {
      return field.get(owner);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(field + " was made accessible", e);
    }
  }

  private void walkPlatformLambda(Place place) {
    SerializedLambda form = TrialStream.serialForm(place.value()).orElse(null);
    if (form == null) {
      tryWriting(place);
      return;
    }
    for (int i = 0; i < form.getCapturedArgCount(); i++) {
      visit(form.getCapturedArg(i), place, "captured value " + (i + 1), false);
    }
  }

  private void walkArray(Place place, Object[] elements) {
    if (KnownTypes.holdsOnlyImmutable(elements.getClass().getComponentType())) {
      return;
    }
    for (int i = 0; i < elements.length && obstacle == null; i++) {
      if (needsVisit(elements[i])) {
        visit(elements[i], place, "[" + i + "]", false);
      }
    }
  }

  private void walkCollection(Place place, Collection<?> elements) {
    int index = 0;
    for (Object element : elements) {
      if (needsVisit(element)) {
        visit(element, place, "[" + index + "]", false);
      }
      index++;
    }
    if (elements instanceof SortedSet<?> sorted) {
      visit(sorted.comparator(), place, "its comparator", false);
    } else if (elements instanceof PriorityQueue<?> queue) {
      visit(queue.comparator(), place, "its comparator", false);
    }
  }

  private void walkMap(Place place, Map<?, ?> map) {
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (needsVisit(entry.getKey())) {
        visit(entry.getKey(), place, "a key", false);
      }
      if (needsVisit(entry.getValue())) {
        visit(entry.getValue(), place, "the value of " + entry.getKey(), false);
      }
    }
    if (map instanceof SortedMap<?, ?> sorted) {
      visit(sorted.comparator(), place, "its comparator", false);
    }
  }

  /// Spares the text of the step for what needs none.
  private static boolean needsVisit(Object element) {
    return element != null && ClassWalk.of(element.getClass()).shape() != ClassWalk.Shape.IMMUTABLE;
  }

  private void tryWriting(Place place) {
    try {
      TrialStream.write(place.value());
    } catch (NotSerializableException e) {
      TrialStream.Culprit culprit = TrialStream.findCulprit(place.value());
      obstacle = new Obstacle(place, culprit.path(), Advice.notSerializable(culprit.value(), ""));
    } catch (java.io.IOException | RuntimeException e) {
      obstacle = new Obstacle(place, "", "it can't be serialised: " + e);
    }
  }
}
