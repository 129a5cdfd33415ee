package libraries;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.LoggerFactory;

/// An application with libraries of its own, of other versions than the engine's.
public class Libraries {

  public static void main(String[] arguments) {
    try (KilnContext context = KilnContext.create(new KilnConf().setAppName("libraries"))) {
      System.out.println("driver " + use("driver"));
      List<ImmutableList<String>> ofTasks =
          context
              .parallelize(List.of(1, 2, 3, 4), 2)
              .keyBy(number -> number % 2)
              .mapValues(number -> ImmutableList.of("n" + number, use("task")))
              .reduceByKey((left, right) -> right)
              .map(pair -> pair.value())
              .collect();
      System.out.println("tasks " + ofTasks.get(0).get(1));
      System.out.println("classes " + ImmutableList.class.getPackage().getImplementationVersion());
      LoggerFactory.getLogger("probe").info("logged by {}", LoggerFactory.getILoggerFactory());
    }
  }

  private static String use(String where) {
    try {
      return new ObjectMapper().writeValueAsString(List.of(where, netty(where), kryo(where)));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static String netty(String text) {
    ByteBuf buffer = Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    try {
      return buffer.getClass().getName().startsWith("io.netty") ? "netty" : "another";
    } finally {
      buffer.release();
    }
  }

  /// In Kryo 4 a class need not be registered; in 5 it must be.
  private static String kryo(String text) {
    com.esotericsoftware.kryo.Kryo kryo = new com.esotericsoftware.kryo.Kryo();
    return kryo.copy(text).equals(text) && !kryo.isRegistrationRequired() ? "kryo 4" : "kryo 5";
  }
}
