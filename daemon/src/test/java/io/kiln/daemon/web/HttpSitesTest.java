package io.kiln.daemon.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnConf;
import io.kiln.base.settings.Settings;
import io.kiln.http.HttpServer;
import io.kiln.network.transport.ListenPort;
import java.util.List;
import org.junit.jupiter.api.Test;

class HttpSitesTest {
  private static HttpServer.Site site(String... settings) {
    KilnConf conf = new KilnConf(false);
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return HttpSites.of(
        Settings.of(conf), List.of("localhost"), ListenPort.any(), "--host", "show something");
  }

  @Test
  void whatIsSetForMastersAndWorkersGoesFirst() {
    assertThatThrownBy(() -> site("spark.ssl.enabled", "true"))
        .hasMessageStartingWith("spark.ssl.enabled=true can't be followed");
    assertThat(
            site("spark.ssl.enabled", "true", "spark.ssl.standalone.enabled", "false")
                .certificates())
        .isEmpty();
    assertThatThrownBy(() -> site("spark.ssl.standalone.enabled", "true"))
        .hasMessageStartingWith("spark.ssl.standalone.enabled=true can't be followed");
  }
}
