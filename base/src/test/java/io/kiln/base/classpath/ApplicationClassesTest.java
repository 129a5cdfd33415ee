package io.kiln.base.classpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kiln.api.RDD;
import io.kiln.api.spi.EngineClasses;
import io.kiln.base.machine.Turn;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import javax.tools.ToolProvider;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplicationClassesTest {
  private static final String PROXIES =
      """
      package acme;
      import java.lang.reflect.*;
      public class Proxies {
        public interface Shown { int number(); }
        interface Hidden { int number(); }
        record Five() implements InvocationHandler, java.io.Serializable {
          public Object invoke(Object proxy, Method method, Object[] arguments) { return 5; }
        }
        private static Object of(Class<?>... interfaces) {
          return Proxy.newProxyInstance(Proxies.class.getClassLoader(), interfaces, new Five());
        }
        public static Object[] all() {
          return new Object[] {
            of(Shown.class), of(Hidden.class), of(java.util.function.Supplier.class)
          };
        }
      }
      """;

  @TempDir static Path directory;
  private static ClassLoader application;
  private static ApplicationClasses classes;

  /// An application that can't see the engine, and that has brought a class of the engine's name
  /// and a library that the engine has, too.
  @BeforeAll
  static void compileApplication() throws Exception {
    compile("acme/Proxies", PROXIES);
    compile("io/kiln/base/machine/Turn", "package io.kiln.base.machine; public class Turn {}");
    compile("org/assertj/core/api/Assertions", "package org.assertj.core.api; class Assertions {}");
    compile("io/kiln/examples/Mine", "package io.kiln.examples; public class Mine {}");
    application =
        new URLClassLoader(
            new URL[] {directory.toUri().toURL()},
            SharedLoader.ofInstallation(ApplicationClassesTest.class.getClassLoader()));
    classes = ApplicationClasses.of(application);
  }

  private static void compile(String name, String source) throws Exception {
    Path file = directory.resolve(name + ".java");
    Files.createDirectories(file.getParent());
    Files.writeString(file, source);
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-proc:none", "-d", directory.toString(), file.toString());
    assertThat(code).isZero();
  }

  @Test
  void findsTheApplicationsClassesAndBehindThemTheEngines() throws Exception {
    assertThat(classes.find("acme.Proxies").getClassLoader()).isSameAs(application);
    assertThat(classes.find(Path.class.getName())).isSameAs(Path.class);
    assertThat(classes.find("[[J")).isSameAs(long[][].class);
    assertThat(classes.find(ApplicationClassesTest[].class.getName()))
        .isSameAs(ApplicationClassesTest[].class);
    assertThatExceptionOfType(ClassNotFoundException.class)
        .isThrownBy(() -> classes.find("acme.Gone"));
  }

  @Test
  void ofKilnsClassesThereIsButOneAndOfOthersTheApplicationsComesFirst() throws Exception {
    assertThat(application.loadClass(Turn.class.getName())).isNotSameAs(Turn.class);
    assertThat(classes.find(Turn.class.getName())).isSameAs(Turn.class);
    assertThat(classes.find(Assertions.class.getName()).getClassLoader()).isSameAs(application);
    assertThat(classes.find("io.kiln.examples.Mine").getClassLoader()).isSameAs(application);
  }

  @Test
  void theApplicationSeesNoMoreThanBefore() throws Exception {
    assertThatExceptionOfType(ClassNotFoundException.class)
        .isThrownBy(() -> classes.context().loadClass(ApplicationClasses.class.getName()));
    assertThat(classes.find("acme.Proxies").getClassLoader()).isSameAs(classes.context());
  }

  @Test
  void theEnginesClassesAreThoseOfRoomsWhereTheRoomsAre() throws Exception {
    assertThat(List.of(Turn.class, RDD.class)).allMatch(EngineClasses::has);
    assertThat(List.of(String.class, Assertions.class, application.loadClass("acme.Proxies")))
        .noneMatch(EngineClasses::has);
    assertThat(EngineClasses.has(application.loadClass(Turn.class.getName()))).isFalse();
    assertThat(EngineClasses.has(application.loadClass("io.kiln.examples.Mine"))).isFalse();
  }

  @Test
  void theNamesOfTheEnginesClassesAreThoseThatItHas() {
    assertThat(EngineClasses.has(Turn.class.getName())).isTrue();
    assertThat(List.of("io.kiln.base.machine.Gone", "io.kiln.examples.Mine", "io.kiln.X", "acme.X"))
        .noneMatch(EngineClasses::has);
  }

  @Test
  void proxiesComeBackOfTheClassThatTheApplicationMakes() throws Exception {
    Object[] made = (Object[]) application.loadClass("acme.Proxies").getMethod("all").invoke(null);

    Object[] read = (Object[]) read(written(made));

    for (int i = 0; i < made.length; i++) {
      assertThat(read[i].getClass()).isSameAs(made[i].getClass());
    }
    assertThat(((Supplier<?>) read[2]).get()).isEqualTo(5);
  }

  @Test
  void primitiveTypesAreClassesToo() throws Exception {
    List<Class<?>> types = List.of(int.class, void.class, int[].class, Turn[].class);
    assertThat(read(written(types))).isEqualTo(types);
  }

  private static byte[] written(Object value) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  private static Object read(byte[] bytes) throws Exception {
    try (ObjectInputStream in = classes.objects(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    }
  }
}
