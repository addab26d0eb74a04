package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Random;
import org.hourstone.server.Client;

/** Annotations that make the store of a daemon about 20 MB larger, however well it compresses. */
final class Ballast {
  private static final int NOTES = 40;
  private static final int CHARACTERS = 750_000;

  private Ballast() {}

  static void add(DaemonProcess daemon, Random random) throws IOException {
    for (int i = 0; i < NOTES; i++) {
      StringBuilder text = new StringBuilder();
      while (text.length() < CHARACTERS) {
        text.append(Long.toString(random.nextLong(), Character.MAX_RADIX));
      }
      Client.Response added =
          Client.request(
              daemon.address(),
              "POST",
              "/api/annotation",
              "{\"startTime\":%d,\"notes\":\"%s\"}".formatted(1_600_000_000 + 3600 * i, text));
      assertThat(added.status()).as(added.body()).isEqualTo(200);
    }
  }
}
