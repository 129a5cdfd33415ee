package probe;

import com.esotericsoftware.kryo.Kryo;
import io.kiln.api.KilnContext;
import io.kiln.api.Pair;
import java.util.List;
import net.jpountz.lz4.LZ4Factory;

/// Uses classes of the application's library that have the names of classes of the engine's.
final class OwnClasses {
  private OwnClasses() {}

  static void use(KilnContext context) {
    System.out.println("driver " + Kryo.whose() + ", " + new LZ4Factory("lz4"));
    List<String> ofTasks =
        context
            .parallelize(List.of(1, 2, 3, 4), 2)
            .mapToPair(number -> Pair.of(number % 2, new LZ4Factory("lz4 " + number)))
            .reduceByKey((left, right) -> new LZ4Factory(left + "+" + right))
            .map(pair -> Kryo.whose() + ", " + pair.value())
            .sortBy(text -> text)
            .collect();
    System.out.println("tasks " + ofTasks);
  }
}
