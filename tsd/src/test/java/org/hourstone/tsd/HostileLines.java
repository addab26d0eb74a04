package org.hourstone.tsd;

import java.util.List;
import org.hourstone.tsd.HostileConnections.Manner;

/** Attacks by bodies in InfluxDB's line protocol. */
final class HostileLines {
  private static final String WRITE = "/write";

  private HostileLines() {}

  static List<AttackKind> all() {
    String half = "POST /write HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000000\r\n\r\n";
    String refused = "attack.l,h=a f=x 1\n".repeat(50_000);
    return List.of(
        AttackKind.of("half bodies of lines", Manner.SILENT, half + "m,h=a f=1".repeat(5_000)),
        AttackKind.of("refused lines of a body", Manner.READING, AttackKind.post(WRITE, refused)),
        AttackKind.compressed(
            "a line of 20 MB of tags in gzip",
            WRITE,
            "gzip",
            AttackKind.gzip("m" + ",t=v".repeat(250_000), 20)),
        AttackKind.compressed(
            "a line of 20 MB of fields in gzip",
            WRITE,
            "gzip",
            AttackKind.gzip("m,h=a " + "f=1,".repeat(250_000), 20)),
        AttackKind.compressed(
            "a string of 20 MB in gzip",
            WRITE,
            "gzip",
            AttackKind.gzip("m,h=a f=\"" + "x".repeat(1_000_000), 20)));
  }
}
