package io.kiln.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterUrlTest {

  @Test
  void aClusterMayHaveSeveralMasters() {
    assertThat(ClusterUrl.parse("spark://host:7077"))
        .contains(new ClusterUrl(List.of("host:7077")));
    assertThat(ClusterUrl.parse("spark://a:1,b:2,[::1]:3"))
        .contains(new ClusterUrl(List.of("a:1", "b:2", "[::1]:3")));
    assertThat(ClusterUrl.parse("spark://a:1,spark://b:2"))
        .contains(new ClusterUrl(List.of("a:1", "b:2")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "local",
        "http://x:1",
        "spark://",
        "spark://host",
        "spark://host:",
        "spark://host:0",
        "spark://host:65536",
        "spark://:7077",
        "spark://host:7077/",
        "spark://a:1,",
        "spark://fe80::1:7077"
      })
  void anythingElseIsNone(String text) {
    assertThat(ClusterUrl.parse(text)).isEmpty();
  }
}
