package io.kiln.driver.closure;

import io.kiln.api.function.Function;
import io.kiln.api.function.Supplier;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.List;

/// Classes as users write them.
final class Shapes {

  private Shapes() {}

  static Function<Object, Object> capturing(Object captured) {
    return value -> List.of(captured, value);
  }

  enum Color {
    RED,
    GREEN {
      @Override
      String shade() {
        return "dark";
      }
    };

    String shade() {
      return "light";
    }
  }

  record Point(int x, double y, String label) implements Serializable {}

  record Holder(Object held) implements Serializable {}

  record NotSerializableRecord(int x) {}

  static final class AllFinal implements Serializable {
    private final int number;
    private final Object held;

    AllFinal(int number, Object held) {
      this.number = number;
      this.held = held;
    }

    @Override
    public String toString() {
      return number + "/" + held;
    }
  }

  static class Counter implements Serializable {
    private int count;

    int next() {
      return ++count;
    }

    int equalsCount(Object other) {
      return other.hashCode() - count;
    }
  }

  static final class WithTransient implements Serializable {
    private final transient Object connection = new Object();

    @Override
    public String toString() {
      return String.valueOf(connection);
    }
  }

  static final class FinalOverMutable extends Counter {}

  static class PlainBase {
    private int state;

    int state() {
      return ++state;
    }
  }

  static final class OverPlainBase extends PlainBase implements Serializable {}

  static class BaseWithArgument {
    BaseWithArgument(int ignored) {
      if (ignored < 0) {
        throw new IllegalArgumentException();
      }
    }
  }

  static final class OverBaseWithArgument extends BaseWithArgument implements Serializable {
    OverBaseWithArgument() {
      super(1);
    }
  }

  static final class Connection {
    boolean isOpen() {
      return true;
    }
  }

  static final class Job implements Serializable {
    private final Connection connection = new Connection();

    Function<Integer, Boolean> function() {
      return _ -> connection.isOpen();
    }

    Supplier<Boolean> methodReference() {
      return this::isOpen;
    }

    boolean isOpen() {
      return connection.isOpen();
    }

    Function<Integer, Boolean> anonymous() {
      return new Function<>() {
        @Override
        public Boolean apply(Integer value) {
          return connection.isOpen();
        }
      };
    }
  }

  static final class GoodJob implements Serializable {
    private final int factor = Integer.parseInt("3");

    Function<Integer, Integer> function() {
      return x -> x * factor;
    }
  }

  static final class SelfContained implements Serializable {
    private final Function<Integer, Integer> function;

    SelfContained() {
      this.function = x -> x + this.hashCode();
    }

    Function<Integer, Integer> function() {
      return function;
    }
  }

  static final class Node implements Serializable {
    private final Node next;

    Node(Node next) {
      this.next = next;
    }

    static Node chain(int length) {
      Node node = null;
      for (int i = 0; i < length; i++) {
        node = new Node(node);
      }
      return node;
    }

    Node next() {
      return next;
    }
  }

  static final class Ring implements Serializable {
    private Object next;

    static Ring of(Object end) {
      Ring first = new Ring();
      Ring second = new Ring();
      first.next = second;
      second.next = end == null ? first : end;
      return first;
    }

    Object next() {
      return next;
    }
  }

  static final class WithReadResolve implements Serializable {
    private final int number = Integer.parseInt("1");

    private Object readResolve() {
      return new WithReadResolve();
    }

    int number() {
      return number;
    }
  }

  static final class WithWriteObject implements Serializable {
    private final transient Object written;

    WithWriteObject(Object written) {
      this.written = written;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeObject(written);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      in.readObject();
    }
  }

  public static final class External implements Externalizable {
    public External() {}

    @Override
    public void writeExternal(ObjectOutput out) {}

    @Override
    public void readExternal(ObjectInput in) {}
  }
}
