package io.kiln.base.closure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kiln.api.KilnException;
import io.kiln.api.function.Supplier;
import io.kiln.base.classpath.ApplicationClasses;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClosureSerializerTest {
  private static final String FUNCTIONS =
      """
      package acme;
      public class Functions {
        public static io.kiln.api.function.Supplier<String> lambda(int number) {
          Extra extra = new Extra();
          return () -> "made by " + Functions.class.getSimpleName() + number + extra;
        }
        public static io.kiln.api.function.Supplier<Extra> reference() {
          return Extra::new;
        }
        public static Object extra() {
          return new Object[] {new Extra(), Extra.class, int.class, new Extra[0]};
        }
      }
      """;
  private static final String EXTRA =
      """
      package acme;
      public class Extra implements java.io.Serializable {
        @Override public String toString() { return "!"; }
      }
      """;

  @TempDir Path directory;
  private ClassLoader loader;

  @BeforeEach
  void compileApplication() throws Exception {
    compile("Functions", FUNCTIONS, "Extra", EXTRA);
    loader = newLoader();
  }

  private void compile(String... namesAndSources) throws IOException {
    String[] arguments = new String[4 + namesAndSources.length / 2];
    List.of("-proc:none", "-d", directory.toString(), "-g").toArray(arguments);
    for (int i = 0; i < namesAndSources.length; i += 2) {
      Path source = directory.resolve(namesAndSources[i] + ".java");
      Files.writeString(source, namesAndSources[i + 1]);
      arguments[4 + i / 2] = source.toString();
    }
    assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments)).isZero();
  }

  private ClassLoader newLoader() throws IOException {
    return new URLClassLoader(
        new URL[] {directory.toUri().toURL()}, Supplier.class.getClassLoader());
  }

  private Object call(String method, Object... arguments) throws Exception {
    for (Method candidate : loader.loadClass("acme.Functions").getMethods()) {
      if (candidate.getName().equals(method)) {
        return candidate.invoke(null, arguments);
      }
    }
    throw new AssertionError(method);
  }

  @Test
  void noMoreIsWrittenThanThereIsRoomFor() {
    String value = "x".repeat(1_000);
    int needed = ClosureSerializer.serialize(value).length;
    assertThat(ClosureSerializer.serializeWithin(needed, value).orElseThrow())
        .isEqualTo(ClosureSerializer.serialize(value));
    assertThat(ClosureSerializer.serializeWithin(needed - 1, value)).isEmpty();
    assertThat(ClosureSerializer.serializeWithin(0, 1)).isEmpty();
    assertThatExceptionOfType(KilnException.class)
        .isThrownBy(() -> ClosureSerializer.serializeWithin(100_000, new Object()))
        .withMessageContaining("java.lang.Object");
  }

  @Test
  void findsALambdasClassesThroughTheLoader() throws Exception {
    byte[] bytes = ClosureSerializer.serialize(call("lambda", 7));

    Supplier<?> copy =
        (Supplier<?>) ClosureSerializer.deserialize(bytes, ApplicationClasses.of(newLoader()));

    assertThat(copy.get()).isEqualTo("made by Functions7!");
  }

  @Test
  void findsClassesArraysAndPrimitivesThroughTheLoader() throws Exception {
    byte[] bytes = ClosureSerializer.serialize(call("extra"));
    ClassLoader other = newLoader();

    Object[] copy = (Object[]) ClosureSerializer.deserialize(bytes, ApplicationClasses.of(other));

    assertThat(copy[0].getClass()).isSameAs(other.loadClass("acme.Extra")).isSameAs(copy[1]);
    assertThat(copy[2]).isSameAs(int.class);
    assertThat(copy[3].getClass().getComponentType()).isSameAs(copy[1]);
  }

  @Test
  void namesTheMissingClass() throws Exception {
    byte[] lambda = ClosureSerializer.serialize(call("lambda", 7));
    byte[] reference = ClosureSerializer.serialize(call("reference"));
    byte[] object = ClosureSerializer.serialize(call("extra"));

    assertMissing("acme.Extra", lambda, Supplier.class.getClassLoader());
    assertMissing("acme.Functions", reference, Supplier.class.getClassLoader());
    Files.delete(directory.resolve("acme/Extra.class"));
    assertMissing("acme.Extra", lambda, newLoader());
    assertMissing("acme.Extra", reference, newLoader());
    assertMissing("acme.Extra", object, newLoader());
  }

  private static void assertMissing(String className, byte[] bytes, ClassLoader loader) {
    assertThatExceptionOfType(KilnException.class)
        .isThrownBy(() -> ClosureSerializer.deserialize(bytes, ApplicationClasses.of(loader)))
        .withMessageStartingWith(
            "a function or record can't be restored in a task: class " + className)
        .withMessageContaining("is in no jar of the application")
        .withMessageContaining("by --jars")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("SerializedLambda"));
  }

  @Test
  void saysThatALambdasClassDiffers() throws Exception {
    byte[] lambda = ClosureSerializer.serialize(call("lambda", 7));
    compile("Functions", "package acme; public class Functions {}", "Extra", EXTRA);

    assertThatExceptionOfType(KilnException.class)
        .isThrownBy(() -> ClosureSerializer.deserialize(lambda, ApplicationClasses.of(newLoader())))
        .withMessageContaining("acme.Functions")
        .withMessageContaining("differs")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("SerializedLambda"));
  }

  /// Holds a function that captures it: Java serialization can't restore that.
  private static final class Cyclic implements Serializable {
    private final Supplier<Integer> function = () -> this.hashCode();
  }

  @Test
  void saysThatAFunctionIsReachedFromWhatItCaptures() {
    byte[] bytes = ClosureSerializer.serialize(new Cyclic().function);

    assertThatExceptionOfType(KilnException.class)
        .isThrownBy(() -> ClosureSerializer.deserialize(bytes, ApplicationClasses.ofThread()))
        .withMessageContaining("function")
        .withMessageContaining("captures")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("SerializedLambda"));
  }

  private record Answer(int number) implements InvocationHandler, Serializable {
    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      return number;
    }
  }

  @Test
  void restoresProxies() throws Exception {
    Object proxy =
        Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Supplier.class}, new Answer(5));

    Supplier<?> copy =
        (Supplier<?>)
            ClosureSerializer.deserialize(
                ClosureSerializer.serialize(proxy), ApplicationClasses.ofThread());

    assertThat(copy.get()).isEqualTo(5);
  }

  private record Maybe(Optional<?> value) implements Serializable {}

  @Test
  void writesWhatOuterJoinsGive() {
    List<?> value = List.of(Optional.empty(), Optional.of(List.of(new Maybe(Optional.of(1)))));

    byte[] bytes = ClosureSerializer.serialize(value);

    assertThat(ClosureSerializer.deserialize(bytes, ApplicationClasses.ofThread()))
        .isEqualTo(value);
  }

  @Test
  void namesTheClassThatIsNotSerializable() {
    assertThatExceptionOfType(KilnException.class)
        .isThrownBy(() -> ClosureSerializer.serialize(List.of(new Object())))
        .withMessageContaining("class java.lang.Object")
        .satisfies(e -> assertThat(e.code()).isEqualTo("CLOSURE_NOT_SERIALIZABLE"));
  }

  private record Link(Link next) implements Serializable {}

  private static Link chain(int length) {
    Link link = null;
    for (int i = 0; i < length; i++) {
      link = new Link(link);
    }
    return link;
  }

  @Test
  void writesAndReadsDeepStructures() {
    byte[] bytes = ClosureSerializer.serialize(chain(100_000));

    Link copy = (Link) ClosureSerializer.deserialize(bytes, ApplicationClasses.ofThread());

    int length = 0;
    for (Link link = copy; link != null; link = link.next()) {
      length++;
    }
    assertThat(length).isEqualTo(100_000);
  }

  @Test
  void saysWhatToDoAboutWhatIsTooDeep() {
    Link endless = chain(100_000);

    assertThatExceptionOfType(KilnException.class)
        .isThrownBy(() -> ClosureSerializer.serialize(endless, 1L << 20))
        .withMessageContaining("checkpoint()")
        .satisfies(e -> assertThat(e.code()).isEqualTo("CLOSURE_TOO_DEEP"));
  }
}
