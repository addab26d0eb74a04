package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class BodyMemoryTest {
  @Test
  void aRefusalDoesNotRefuseConcurrentOthers() throws InterruptedException {
    BodyMemory memory = new BodyMemory(1_000);
    AtomicBoolean end = new AtomicBoolean();
    Thread refused =
        new Thread(
            () -> {
              while (!end.get()) {
                memory.take(1_001);
              }
            });
    refused.start();
    int taken = 0;
    for (int i = 0; i < 1_000_000; i++) {
      if (memory.take(1_000)) {
        taken++;
        memory.release(1_000);
      }
    }
    end.set(true);
    refused.join();

    assertThat(taken).isEqualTo(1_000_000);
  }
}
