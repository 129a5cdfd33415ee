package io.kiln.submit.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Properties;
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

  /// SLF4Js of the program's own read the properties too.
  @Test
  void beingChosenLeavesNoPropertyBehind() {
    Properties before = (Properties) System.getProperties().clone();

    LazyLogProvider.choose();

    assertThat(System.getProperties()).isEqualTo(before);
  }

  @Test
  void theUsersChoiceStays() {
    System.setProperty(LoggerFactory.PROVIDER_PROPERTY_KEY, "some.Provider");
    try {
      LazyLogProvider.choose();

      assertThat(System.getProperty(LoggerFactory.PROVIDER_PROPERTY_KEY))
          .isEqualTo("some.Provider");
    } finally {
      System.clearProperty(LoggerFactory.PROVIDER_PROPERTY_KEY);
    }
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
