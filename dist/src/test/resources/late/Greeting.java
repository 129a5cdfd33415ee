package late;

/// A class of a jar that is added to a running application.
public record Greeting(int number) implements java.io.Serializable {
  @Override
  public String toString() {
    return "hello " + number;
  }
}
