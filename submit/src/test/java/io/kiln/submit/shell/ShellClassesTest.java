package io.kiln.submit.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnContext;
import io.kiln.api.function.Function;
import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.base.closure.ClosureSerializer;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Functions of the prompt in another loader, which has nothing but the class files: so an executor
/// in another process will meet them.
class ShellClassesTest {

  private static final String KEY = "kiln.test.function";

  private final ShellClasses classes = new ShellClasses();
  private final ClassLoader application = ShellClassesTest.class.getClassLoader();
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private Interpreter interpreter;

  @BeforeEach
  void start() throws Exception {
    ShellExecution execution = new ShellExecution(classes, new ShellLoader(classes, application));
    File api =
        new File(KilnContext.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    PrintStream out = new PrintStream(shown, true, StandardCharsets.UTF_8);
    interpreter = new Interpreter(List.of(api), execution, out);
  }

  @AfterEach
  void stop() {
    interpreter.close();
    System.getProperties().remove(KEY);
  }

  @Test
  void aFunctionIsRestoredWithTheDefinitionsItWasMadeWith() throws Exception {
    run("record Point(int x) {}");
    run("int twice(int x) { return new Point(x).x() * 2; }");
    byte[] first = function("x -> twice(x)");
    run("int twice(int x) { return x * 3; }");
    byte[] second = function("x -> twice(x)");

    assertThat(inAnotherLoader(first).apply(5)).isEqualTo(10);
    assertThat(inAnotherLoader(second).apply(5)).isEqualTo(15);
  }

  @Test
  void whatTheShellDidNotMakeIsNotFound() {
    ShellLoader loader = new ShellLoader(classes, application);

    assertThat(classes.findClassBytes("REPL.Nothing")).isEmpty();
    assertThatThrownBy(() -> loader.loadClass("REPL.Nothing"))
        .isInstanceOf(ClassNotFoundException.class)
        .hasMessage("REPL.Nothing");
  }

  private void run(String source) {
    assertThat(interpreter.run(source)).as(shown.toString(StandardCharsets.UTF_8)).isTrue();
  }

  private byte[] function(String lambda) {
    run("io.kiln.api.function.Function<Integer, Integer> f = " + lambda + ";");
    run("System.getProperties().put(\"" + KEY + "\", f);");
    return ClosureSerializer.serialize(System.getProperties().get(KEY));
  }

  @SuppressWarnings("unchecked") // as it was declared above
  private Function<Integer, Integer> inAnotherLoader(byte[] serialized) {
    return (Function<Integer, Integer>)
        ClosureSerializer.deserialize(
            serialized, ApplicationClasses.of(new ShellLoader(classes, application)));
  }
}
