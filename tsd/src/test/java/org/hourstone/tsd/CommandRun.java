package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.tsd.terminal.Streams;

/**
 * A command that was run within this process.
 *
 * @param out what it wrote to standard output
 * @param err what it wrote to standard error
 */
public record CommandRun(int exitCode, String out, String err) {
  /** What commands take for now: shortly after the points of the tests. */
  public static final Instant NOW = Instant.parse("2024-01-02T00:00:00Z");

  private static final int COLUMNS = 60;

  /** Kept open for good: what is on the heap is forgotten when no store has it open. */
  private static final Queue<KeyValueStore> STORES = new ConcurrentLinkedQueue<>();

  /** The URI of a store on the heap of its own; it outlives the commands. */
  public static String newStore() {
    String uri = "memory:" + UUID.randomUUID();
    STORES.add(KeyValueStores.open(uri));
    return uri;
  }

  public static CommandRun of(String... args) {
    return withInput("", args);
  }

  /** As {@link #of}, where standard error is a terminal. */
  public static CommandRun onTerminal(String... args) {
    return run(new byte[0], true, InstantSource.fixed(NOW), args);
  }

  public static CommandRun withInput(String input, String... args) {
    return withInput(input.getBytes(UTF_8), args);
  }

  public static CommandRun withInput(byte[] input, String... args) {
    return run(input, false, InstantSource.fixed(NOW), args);
  }

  /** As {@link #of}, by the machine's clock: that of servers the command talks to. */
  static CommandRun now(String... args) {
    return run(new byte[0], false, Map.of(), InstantSource.system(), args);
  }

  /** As {@link #now}, with more variables in the environment. */
  static CommandRun now(Map<String, String> environment, String... args) {
    return run(new byte[0], false, environment, InstantSource.system(), args);
  }

  private static CommandRun run(
      byte[] input, boolean terminal, InstantSource clock, String... args) {
    List<String> inUtc = new ArrayList<>(List.of(args));
    inUtc.addAll(0, List.of("--set", "tsd.core.timezone=UTC")); // but for one in the arguments
    return run(input, terminal, Map.of(), clock, inUtc.toArray(new String[0]));
  }

  private static CommandRun run(
      byte[] input,
      boolean terminal,
      Map<String, String> environment,
      InstantSource clock,
      String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Map<String, String> inUtc = new HashMap<>(environment);
    inUtc.put("TSD_CORE_TIMEZONE", "UTC"); // but for one in the arguments
    Streams streams =
        new Streams(new ByteArrayInputStream(input), out, err, terminal, terminal, COLUMNS, inUtc);
    int exitCode = Main.run(streams, clock, args);
    return new CommandRun(exitCode, out.toString(UTF_8), err.toString(UTF_8));
  }

  public List<String> outLines() {
    return out.lines().toList();
  }

  public List<String> errLines() {
    return err.lines().toList();
  }
}
