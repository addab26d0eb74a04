package org.hourstone.meta;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetaFailuresTest {
  /** Otherwise it would end the thread that records metadata, which calls it. */
  @Test
  void aListenerThatThrowsDoesNotReachWhoRecordsMetadata() throws Exception {
    MetaFailures failures = new MetaFailures();
    List<Throwable> reported = new ArrayList<>();
    List<String> ended = new ArrayList<>();
    IllegalStateException fault = new IllegalStateException("of the listener");
    failures.onFirst(
        what -> {
          throw fault;
        });
    Thread recording =
        new Thread(
            () -> {
              failures.add("series", new RuntimeException("no store"));
              failures.add("series", new RuntimeException("still none"));
              ended.add("regularly");
            });
    recording.setUncaughtExceptionHandler((thread, thrown) -> reported.add(thrown));

    recording.start();
    recording.join();

    assertThat(ended).containsExactly("regularly");
    assertThat(reported).containsExactly(fault);
    assertThat(failures.count()).isEqualTo(2);
    assertThat(failures.last()).isEqualTo("series: still none");
  }
}
