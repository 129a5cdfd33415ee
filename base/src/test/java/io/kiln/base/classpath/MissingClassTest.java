package io.kiln.base.classpath;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.base.classpath.ApplicationJars.Overlap;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MissingClassTest {

  @TempDir Path directory;

  @Test
  void isFoundBehindOtherExceptions() {
    Throwable failure =
        new IllegalStateException(new RuntimeException(new NoClassDefFoundError("acme/Gone")));

    assertThat(MissingClass.of(failure).orElseThrow().name()).isEqualTo("acme.Gone");
    assertThat(MissingClass.of(new ClassNotFoundException("acme.Gone$In")).orElseThrow().name())
        .isEqualTo("acme.Gone$In");
  }

  @Test
  void isNotWhatFailsOtherwise() {
    assertThat(MissingClass.of(new IllegalStateException("acme.Gone"))).isEmpty();
    assertThat(MissingClass.of(new NoClassDefFoundError("Could not initialize class acme.Gone")))
        .isEmpty();
    assertThat(MissingClass.of(new NoClassDefFoundError("a/B (wrong name: A/B)"))).isEmpty();
    assertThat(MissingClass.of(new ClassNotFoundException())).isEmpty();
  }

  @Test
  void knowsWhoAsked() {
    NoClassDefFoundError error = new NoClassDefFoundError("acme/Gone");
    error.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement(null, "java.base", "25", "java.lang.Class", "forName", null, 1),
          new StackTraceElement("io.kiln.base.machine.Turn", "run", null, 1),
          new StackTraceElement("acme.Main", "main", "Main.java", 7)
        });

    assertThat(MissingClass.of(error).orElseThrow().askedBy()).isEqualTo("acme.Main");
  }

  @Test
  void saysWhatMayHelp() throws Exception {
    Path jar = jar("lib-1.jar", "acme/util/Name.class", "acme/util/Other.class");
    MissingClass elsewhere = new MissingClass("acme.old.Name", "acme.Main");
    MissingClass neighbour = new MissingClass("acme.util.Newer", "");
    MissingClass nowhere = new MissingClass("other.Thing", "acme.Main");
    MissingClass unseen = new MissingClass("acme.util.Name", "acme.Main");
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
      assertThat(elsewhere.explained(loader))
          .isEqualTo(
              "class acme.old.Name, which acme.Main needs, is in no jar of the application; "
                  + jar
                  + " has acme.util.Name; if another is meant, add its jar by --jars or"
                  + " --packages");
      assertThat(neighbour.explained(loader))
          .isEqualTo(
              "class acme.util.Newer is in no jar of the application; "
                  + jar
                  + " has others of its package, so another version of it may have this one too;"
                  + " or add its jar by --jars or --packages");
      assertThat(nowhere.explained(loader))
          .isEqualTo(
              "class other.Thing, which acme.Main needs, is in no jar of the application; add its"
                  + " jar by --jars or --packages");
      assertThat(unseen.explained(loader)).contains("is in " + jar + ", but can't be seen");
    }
  }

  @Test
  void jarsWithTheSameClassesAreToldApart() throws Exception {
    Path first = jar("first.jar", "a/A.class", "a/B.class", "module-info.class");
    Path second = jar("second.jar", "a/B.class", "a/A.class", "module-info.class");
    Path third = jar("third.jar", "c/C.class", "META-INF/versions/9/a/A.class");

    assertThat(new ApplicationJars(List.of(first, second, first, third)).overlaps())
        .containsExactly(new Overlap(first, second, 2, "a.B"));
    assertThat(new ApplicationJars(List.of(first, third)).overlaps()).isEmpty();
  }

  private Path jar(String name, String... entries) throws IOException {
    Path jar = directory.resolve(name);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (String entry : entries) {
        out.putNextEntry(new JarEntry(entry));
      }
    }
    return jar;
  }
}
