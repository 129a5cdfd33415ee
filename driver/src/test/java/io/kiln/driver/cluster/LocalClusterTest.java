package io.kiln.driver.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LocalClusterTest {

  private static KilnConf conf(String master) {
    return new KilnConf(false).setMaster(master).set("spark.app.name", "test");
  }

  @Test
  void aJobRunsInProcessesOfItsOwn() {
    try (KilnContext context = KilnContext.create(conf("local-cluster[2,1,512]"))) {
      List<Integer> numbers = IntStream.range(0, 1000).boxed().toList();
      assertThat(context.parallelize(numbers, 10).map(i -> i * 2).collect())
          .isEqualTo(numbers.stream().map(i -> i * 2).toList());
      assertThat(context.parallelize(numbers, 4).map(_ -> ProcessHandle.current().pid()).collect())
          .doesNotContain(ProcessHandle.current().pid());
    }
  }
}
