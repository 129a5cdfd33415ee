package io.kiln.programs.cluster;

import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/// Warnings and errors on standard error, for processes whose log a test reads: they are started
/// with [#OPTION].
public final class StandardErrorLog implements SLF4JServiceProvider {
  static final String OPTION = "-Dslf4j.provider=io.kiln.programs.cluster.StandardErrorLog";

  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter contexts = new NOPMDCAdapter();

  @Override
  public ILoggerFactory getLoggerFactory() {
    return Lines::new;
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return contexts;
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0.99";
  }

  @Override
  public void initialize() {}

  private static final class Lines extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1L;

    Lines(String name) {
      this.name = name;
    }

    @Override
    protected String getFullyQualifiedCallerName() {
      return Logger.class.getName();
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level, Marker marker, String pattern, Object[] arguments, Throwable cause) {
      System.err.println(
          level + " " + MessageFormatter.basicArrayFormat(pattern, arguments) + suffix(cause));
    }

    private static String suffix(Throwable cause) {
      return cause == null ? "" : " " + cause;
    }

    @Override
    public boolean isTraceEnabled() {
      return false;
    }

    @Override
    public boolean isDebugEnabled() {
      return false;
    }

    @Override
    public boolean isInfoEnabled() {
      return false;
    }

    @Override
    public boolean isWarnEnabled() {
      return true;
    }

    @Override
    public boolean isErrorEnabled() {
      return true;
    }
  }
}
