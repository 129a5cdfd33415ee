package io.kiln.api.spi;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;

/// Reads what Java serialization wrote, with the classes of a given loader, and those of Kiln that
/// it doesn't find.
public final class LoaderObjectInputStream extends ObjectInputStream {
  private final ClassLoader loader;
  private final ClassLoader proxies;

  /// @param loader finds the classes
  /// @param proxies defines the classes of proxies whose interfaces it sees, so that they are those
  ///     that the application makes itself; others are the first loader's
  public LoaderObjectInputStream(InputStream in, ClassLoader loader, ClassLoader proxies)
      throws IOException {
    super(in);
    this.loader = loader;
    this.proxies = proxies;
  }

  @Override
  protected Class<?> resolveClass(ObjectStreamClass description) throws ClassNotFoundException {
    Class<?> primitive = Class.forPrimitiveName(description.getName());
    return primitive != null ? primitive : find(description.getName());
  }

  private Class<?> find(String name) throws ClassNotFoundException {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException e) {
      return Class.forName(name, false, LoaderObjectInputStream.class.getClassLoader());
    }
  }

  @Override
  protected Class<?> resolveProxyClass(String[] interfaceNames) throws ClassNotFoundException {
    Class<?>[] interfaces = new Class<?>[interfaceNames.length];
    ClassLoader defining = proxies;
    for (int i = 0; i < interfaces.length; i++) {
      interfaces[i] = find(interfaceNames[i]);
      if (!Modifier.isPublic(interfaces[i].getModifiers())) {
        defining = interfaces[i].getClassLoader(); // seen from its own package only
      }
    }
    try {
      return proxyClass(defining, interfaces);
    } catch (IllegalArgumentException e) {
      return proxyClass(loader, interfaces);
    }
  }

  @SuppressWarnings("deprecation") // the only way to a proxy's class without a proxy
  private static Class<?> proxyClass(ClassLoader loader, Class<?>[] interfaces) {
    return Proxy.getProxyClass(loader, interfaces);
  }
}
