package io.kiln.submit.shell;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;

/// The address of a class file that is nowhere but in memory.
final class ClassFileUrl extends URLStreamHandler {
  private final byte[] classFile;

  private ClassFileUrl(byte[] classFile) {
    this.classFile = classFile;
  }

  /// @param name as `REPL/$JShell$1.class`
  static URL of(String name, byte[] classFile) {
    try {
      return URL.of(URI.create("kiln-shell:/" + name), new ClassFileUrl(classFile));
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(name, e);
    }
  }

  @Override
  protected URLConnection openConnection(URL url) {
    return new URLConnection(url) {
      @Override
      public void connect() {}

      @Override
      public InputStream getInputStream() {
        return new ByteArrayInputStream(classFile);
      }
    };
  }
}
