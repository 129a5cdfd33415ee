package io.kiln.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnConf;
import io.kiln.base.classpath.SharedLoader;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class SharedLoaderTest {

  private final SharedLoader shared =
      new SharedLoader(
          SharedLoaderTest.class.getClassLoader(), urlOf(KilnConf.class), urlOf(Logger.class));

  @Test
  void theSharedClassesAreTheEnginesOwn() throws ClassNotFoundException {
    assertThat(shared.loadClass("io.kiln.api.KilnConf")).isSameAs(KilnConf.class);
    assertThat(shared.loadClass("java.sql.Driver").getName()).isEqualTo("java.sql.Driver");
  }

  @Test
  void theEngineIsInvisible() throws IOException {
    for (String hidden :
        List.of("io.kiln.submit.SparkSubmit", "org.apache.logging.log4j.Logger", "io.kilnapi.X")) {
      assertThatThrownBy(() -> shared.loadClass(hidden)).isInstanceOf(ClassNotFoundException.class);
    }
    String provider = "META-INF/services/org.slf4j.spi.SLF4JServiceProvider";
    assertThat(shared.getResource(provider)).isNull();
    assertThat(Collections.list(shared.getResources(provider))).isEmpty();
    assertThat(shared.getResource("io/kiln/submit/SparkSubmit.class")).isNull();
    assertThat(shared.getResource("META-INF/kiln/rooms/api")).isNull();
  }

  @Test
  void sharedResourcesAreFound() throws IOException {
    String name = "io/kiln/api/KilnConf.class";
    assertThat(shared.getResource(name)).isNotNull();
    assertThat(Collections.list(shared.getResources(name))).hasSize(1);
  }

  /// There is no jars/hadoop beside a build's classes, so whoever answers is the class path.
  @Test
  void hadoopsResourcesAndNoOthersAreLookedForBehindIt() throws IOException {
    List<String> asked = new ArrayList<>();
    SharedLoader spied =
        new SharedLoader(
            new ClassLoader(null) {
              @Override
              public Enumeration<URL> getResources(String name) {
                asked.add(name);
                return Collections.emptyEnumeration();
              }
            });
    List<String> hadoop =
        List.of(
            "core-default.xml",
            "META-INF/services/org.apache.hadoop.fs.FileSystem",
            "org/apache/hadoop/x.properties");
    for (String name : hadoop) {
      assertThat(spied.getResources(name).hasMoreElements()).isFalse();
    }
    for (String name :
        List.of("core-site.xml", "META-INF/services/javax.xml.stream.XMLInputFactory")) {
      spied.getResources(name);
    }

    assertThat(asked).isEqualTo(hadoop);
  }

  @Test
  void theApplicationSeesItselfAndWhatIsShared() throws Exception {
    URL own = urlOf(SharedLoaderTest.class);
    try (ApplicationLoader application =
        new ApplicationLoader(List.of(Path.of(own.toURI())), false, shared)) {
      Class<?> mine = application.loadClass(SharedLoaderTest.class.getName());

      assertThat(mine.getClassLoader()).isSameAs(application);
      assertThat(application.loadClass("io.kiln.api.KilnConf")).isSameAs(KilnConf.class);
      assertThatThrownBy(() -> application.loadClass("io.kiln.submit.SparkSubmit"))
          .isInstanceOf(ClassNotFoundException.class);
    }
  }

  @Test
  void onRequestItsOwnComesFirstButNeverOfTheApi() throws Exception {
    List<Path> classPath = List.of(placeOf(Logger.class), placeOf(KilnConf.class));
    try (ApplicationLoader application = new ApplicationLoader(classPath, true, shared);
        ApplicationLoader usual = new ApplicationLoader(classPath, false, shared)) {
      assertThat(application.loadClass("org.slf4j.Logger").getClassLoader()).isSameAs(application);
      assertThat(application.getResource("org/slf4j/Logger.class").toString())
          .contains(classPath.getFirst().getFileName().toString());
      assertThat(application.loadClass("io.kiln.api.KilnConf")).isSameAs(KilnConf.class);
      assertThat(usual.loadClass("org.slf4j.Logger")).isSameAs(Logger.class);
    }
  }

  private static Path placeOf(Class<?> type) throws Exception {
    return Path.of(urlOf(type).toURI());
  }

  private static URL urlOf(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }
}
