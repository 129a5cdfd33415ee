package io.kiln.storage.serializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.Pair;
import io.kiln.base.classpath.ApplicationClasses;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Data nested more deeply than a stack can hold is written and read, or refused; no stack
/// overflows.
class NestedDataTest {
  private static final int DEEP = 6_000;

  static final class Plain {
    final Object next;

    Plain(Object next) {
      this.next = next;
    }
  }

  static class Node implements Serializable {
    private static final long serialVersionUID = 1L;
    final Object next;

    Node(Object next) {
      this.next = next;
    }
  }

  static final class Written extends Node {
    private static final long serialVersionUID = 1L;

    Written(Object next) {
      super(next);
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
    }
  }

  record Link(Object next) implements Serializable {}

  private static Object nested(int depth, UnaryOperator<Object> around) {
    Object value = "innermost";
    for (int i = 0; i < depth; i++) {
      value = around.apply(value);
    }
    return value;
  }

  private static int depth(Object value) {
    int depth = 0;
    Object at = value;
    while (!(at instanceof String)) {
      at =
          switch (at) {
            case Plain plain -> plain.next;
            case Node node -> node.next;
            case Link link -> link.next();
            case List<?> list -> list.getFirst();
            case Optional<?> optional -> optional.get();
            case Pair<?, ?> pair -> pair.value();
            case Object[] array -> array[0];
            default -> throw new IllegalStateException("" + at);
          };
      depth++;
    }
    return depth;
  }

  @ParameterizedTest
  @EnumSource
  void isWrittenAndRead(SerializerChoice choice) throws Exception {
    ObjectSerializer serializer = new ObjectSerializer(choice, ApplicationClasses.ofThread());
    List<UnaryOperator<Object>> forms =
        new ArrayList<>(
            List.of(
                Node::new,
                Written::new,
                Link::new,
                Optional::of,
                value -> new Object[] {value},
                value -> new ArrayList<>(List.of(value)),
                value -> Pair.of(1, value)));
    if (choice != SerializerChoice.JAVA) {
      forms.add(Plain::new);
    }
    for (int i = 0; i < forms.size(); i++) {
      Object deep = nested(DEEP, forms.get(i));
      byte[] bytes = serializer.toBytes(deep);
      assertThat(depth(serializer.fromBytes(bytes))).as("form %d", i).isEqualTo(DEEP);
      Object pair = serializer.fromBytes(serializer.toBytes(Pair.of(deep, 2)));
      assertThat(depth(((Pair<?, ?>) pair).key())).isEqualTo(DEEP);
    }
  }

  @ParameterizedTest
  @EnumSource
  void isRefusedWhereNoStackWouldDo(SerializerChoice choice) {
    ObjectSerializer serializer = new ObjectSerializer(choice, ApplicationClasses.ofThread());
    Object endless = nested(600_000, Node::new);
    assertThatThrownBy(() -> serializer.toBytes(endless))
        .hasMessageContaining("NestedDataTest$Node can't be serialised: it is nested too deeply");
    assertThat(depth(serializer.fromBytes(serializer.toBytes(nested(3, Node::new))))).isEqualTo(3);
  }

  /// Tells whether the class's initialiser runs where there is room.
  @ParameterizedTest
  @EnumSource
  void leavesRoomForWhatIsCalledInside(SerializerChoice choice) {
    ObjectSerializer serializer = new ObjectSerializer(choice, ApplicationClasses.ofThread());
    AtomicBoolean overflown = new AtomicBoolean();
    for (int depth = 16; depth < 6_000; depth += 499) {
      try {
        assertThat(depth(serializer.fromBytes(serializer.toBytes(nested(depth, Needing::new)))))
            .isEqualTo(depth);
      } catch (StackOverflowError e) {
        overflown.set(true);
      }
    }
    assertThat(overflown).isFalse();
  }

  /// Calls a hundred methods, each inside another, when it is written.
  static final class Needing extends Node {
    private static final long serialVersionUID = 1L;

    Needing(Object next) {
      super(next);
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      assertThat(down(500)).isZero();
      out.defaultWriteObject();
    }

    private static int down(int left) {
      return left == 0 ? 0 : down(left - 1);
    }
  }
}
