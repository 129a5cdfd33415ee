package io.kiln.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.launcher.Refusal;
import java.util.List;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.repository.RemoteRepository;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How users name artifacts, exclusions and repositories.
class NamesTest {

  @ParameterizedTest
  @CsvSource({
    "g.h:a:1.0,            g.h:a:jar:1.0,       g.h:a:1.0",
    "g/a:1.0,              g:a:jar:1.0,         g:a:1.0",
    "g:a:pom:1.0,          g:a:pom:1.0,         g:a:pom:1.0",
    "g:a_2.13:jar:x:1,     g:a_2.13:jar:x:1,    g:a_2.13:jar:x:1",
    "'g:a:[1.0,2.0)',      'g:a:jar:[1.0,2.0)', 'g:a:[1.0,2.0)'",
  })
  void coordinatesAreThoseOfSparkAndOfMaven(String text, String artifact, String shown) {
    Artifact parsed = Coordinates.parse(List.of(text), "--packages").getFirst();

    assertThat(parsed).hasToString(artifact);
    assertThat(Coordinates.shown(parsed)).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource({
    "a,              it has 1 parts",
    "g:a,            it has 2 parts",
    "g:a:x:y:z:1,    it has 6 parts",
    "g::1,           the part '' cannot be one",
    "g:a b:1,        the part 'a b' cannot be one",
    "g:../a:1,       the part '../a' cannot be one",
    "g:a:1.2.+,      Ivy's way to say a version",
    "g:a:latest.release, Ivy's way to say a version",
    "g:a:war:1,      which is a war: only a jar",
  })
  void otherCoordinatesAreRefused(String text, String message) {
    assertThatThrownBy(() -> Coordinates.parse(List.of("g:a:1", text), "--packages"))
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith("--packages names ")
        .hasMessageContaining(message);
  }

  @Test
  void exclusionsMayHaveWildcards() {
    Exclusions exclusions = Exclusions.of(List.of("g:a", "x.*:lib-*"), false, "--exclude-packages");

    assertThat(
            excluded(exclusions, "g:a:1", "x.y:lib-z:1", "io.kiln:any:1", "org.slf4j:slf4j-api:1"))
        .isTrue();
    assertThat(exclusions.excludes(new DefaultArtifact("g:ab:1"))).isFalse();
    assertThat(exclusions.excludes(new DefaultArtifact("x:lib-z:1"))).isFalse();
    assertThat(exclusions.excludes(new DefaultArtifact("org.slf4j:slf4j-simple:1"))).isFalse();
    assertThat(
            Exclusions.of(List.of(), true, "--exclude-packages")
                .excludes(new DefaultArtifact("org.slf4j:slf4j-api:1")))
        .isFalse();
  }

  private static boolean excluded(Exclusions exclusions, String... artifacts) {
    for (String artifact : artifacts) {
      if (!exclusions.excludes(new DefaultArtifact(artifact))) {
        return false;
      }
    }
    return true;
  }

  @ParameterizedTest
  @CsvSource({"a", "a:", ":a", "a:b:c"})
  void otherExclusionsAreRefused(String text) {
    assertThatThrownBy(() -> Exclusions.of(List.of(text), false, "--exclude-packages"))
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith("--exclude-packages names '" + text + "', but must name");
  }

  @Test
  void repositoriesAreThoseGivenThenCentral() {
    List<RemoteRepository> repositories =
        Repositories.of(
            List.of("http://h/a", "mine::https://h/b", "file:/c"), settings(), "--repositories");

    assertThat(repositories)
        .extracting(Repositories::shown)
        .containsExactly(
            "repo-1 (http://h/a)",
            "mine (https://h/b)",
            "repo-3 (file:/c)",
            "central (https://repo.maven.apache.org/maven2)");
  }

  @ParameterizedTest
  @CsvSource({
    "h/a,                  which is no repository",
    "ftp://h/a,            which is no repository",
    "https://u:secret@h/a, has a password in a URL",
  })
  void otherRepositoriesAreRefused(String text, String message) {
    assertThatThrownBy(() -> Repositories.of(List.of(text), settings(), "--repositories"))
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith("--repositories ")
        .hasMessageContaining(message)
        .hasMessageNotContaining("secret");
  }

  private static UserSettings settings() {
    return new UserSettings(
        new org.apache.maven.settings.Settings(), List.of(), List.of(), List.of());
  }
}
