package acme;

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

/// Classes as users write them: of no room of the engine.
public final class Shapes {

  private Shapes() {}

  public static Function<Object, Object> capturing(Object captured) {
    return value -> List.of(captured, value);
  }

  public enum Color {
    RED,
    GREEN {
      @Override
      public String shade() {
        return "dark";
      }
    };

    public String shade() {
      return "light";
    }
  }

  public record Point(int x, double y, String label) implements Serializable {}

  public record Holder(Object held) implements Serializable {}

  public record NotSerializableRecord(int x) {}

  public static final class AllFinal implements Serializable {
    private final int number;
    private final Object held;

    public AllFinal(int number, Object held) {
      this.number = number;
      this.held = held;
    }

    @Override
    public String toString() {
      return number + "/" + held;
    }
  }

  public static class Counter implements Serializable {
    private int count;

    public int next() {
      return ++count;
    }

    public int equalsCount(Object other) {
      return other.hashCode() - count;
    }
  }

  public static final class WithTransient implements Serializable {
    private final transient Object connection = new Object();

    @Override
    public String toString() {
      return String.valueOf(connection);
    }
  }

  public static final class FinalOverMutable extends Counter {}

  public static class PlainBase {
    private int state;

    public int state() {
      return ++state;
    }
  }

  public static final class OverPlainBase extends PlainBase implements Serializable {}

  public static class BaseWithArgument {
    public BaseWithArgument(int ignored) {
      if (ignored < 0) {
        throw new IllegalArgumentException();
      }
    }
  }

  public static final class OverBaseWithArgument extends BaseWithArgument implements Serializable {
    public OverBaseWithArgument() {
      super(1);
    }
  }

  public static final class Connection {
    public boolean isOpen() {
      return true;
    }
  }

  public static final class Job implements Serializable {
    private final Connection connection = new Connection();

    public Function<Integer, Boolean> function() {
      return _ -> connection.isOpen();
    }

    public Supplier<Boolean> methodReference() {
      return this::isOpen;
    }

    public boolean isOpen() {
      return connection.isOpen();
    }

    public Function<Integer, Boolean> anonymous() {
      return new Function<>() {
        @Override
        public Boolean apply(Integer value) {
          return connection.isOpen();
        }
      };
    }
  }

  public static final class GoodJob implements Serializable {
    private final int factor = Integer.parseInt("3");

    public Function<Integer, Integer> function() {
      return x -> x * factor;
    }
  }

  public static final class SelfContained implements Serializable {
    private final Function<Integer, Integer> function;

    public SelfContained() {
      this.function = x -> x + this.hashCode();
    }

    public Function<Integer, Integer> function() {
      return function;
    }
  }

  public static final class Node implements Serializable {
    private final Node next;

    public Node(Node next) {
      this.next = next;
    }

    public static Node chain(int length) {
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

  public static final class Ring implements Serializable {
    private Object next;

    public static Ring of(Object end) {
      Ring first = new Ring();
      Ring second = new Ring();
      first.next = second;
      second.next = end == null ? first : end;
      return first;
    }

    public Object next() {
      return next;
    }
  }

  public static final class WithReadResolve implements Serializable {
    private final int number = Integer.parseInt("1");

    private Object readResolve() {
      return new WithReadResolve();
    }

    public int number() {
      return number;
    }
  }

  public static final class WithWriteObject implements Serializable {
    private final transient Object written;

    public WithWriteObject(Object written) {
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
