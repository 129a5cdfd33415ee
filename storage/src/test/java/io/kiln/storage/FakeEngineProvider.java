package io.kiln.storage;

import io.kiln.api.KilnContext;
import io.kiln.api.spi.Engine;
import io.kiln.api.spi.EngineProvider;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/// An engine that only gives out ids: enough to build lineages.
public final class FakeEngineProvider implements EngineProvider {
  private static final AtomicInteger next = new AtomicInteger();

  @Override
  public Engine start(KilnContext context) {
    return (Engine)
        Proxy.newProxyInstance(
            Engine.class.getClassLoader(),
            new Class<?>[] {Engine.class},
            (_, method, _) ->
                switch (method.getName()) {
                  case "nextRddId", "nextShuffleId" -> next.getAndIncrement();
                  case "shuffleCreated", "checkSerializable", "persisted", "close" -> null;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }
}
