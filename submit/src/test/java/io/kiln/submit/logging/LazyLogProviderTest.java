package io.kiln.submit.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class LazyLogProviderTest {

  private final Logger logger = LoggerFactory.getLogger("some.Name");

  @AfterEach
  void restore() {
    LogLevel.set("WARN");
  }

  @Test
  void itIsWhatSlf4jFinds() {
    assertThat(LoggerFactory.getILoggerFactory()).isInstanceOf(LazyLogProvider.class);
    assertThat(LoggerFactory.getLogger("some.Name")).isSameAs(logger);
  }

  @Test
  void warningsAndErrorsPassUnlessTheLevelSaysOtherwise() {
    assertThat(logger.isWarnEnabled()).isTrue();
    assertThat(logger.isInfoEnabled()).isFalse();

    LogLevel.set("debug");
    assertThat(logger.isDebugEnabled()).isTrue();
    assertThat(logger.isTraceEnabled()).isFalse();

    LogLevel.set("OFF");
    assertThat(logger.isErrorEnabled()).isFalse();
  }

  @Test
  void anUnknownLevelIsRefused() {
    assertThat(LogLevel.isKnown("loud")).isFalse();
    assertThatThrownBy(() -> LogLevel.set("loud")).isInstanceOf(IllegalArgumentException.class);
  }
}
