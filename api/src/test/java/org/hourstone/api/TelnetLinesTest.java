package org.hourstone.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.DaemonSettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines of a connection have the effects and the replies that they have one by one. */
class TelnetLinesTest {
  /** Refuses points, and runs out of memory when a name is new, while a test wants that. */
  private static final class FailingStore extends ForwardingStore {
    private volatile boolean full;
    private volatile boolean outOfMemory;
    private final AtomicInteger indexCalls = new AtomicInteger();

    FailingStore() {
      super(new ModelStore(new ManualClock(Instant.parse("2026-01-01T00:00:00Z"))));
    }

    @Override
    public void mutate(Family family, List<RowMutation> batch) {
      if (full && family.table().equals("tsdb")) {
        throw new StoreException(Outcome.REJECTED, "the disk is full");
      }
      indexCalls.addAndGet(family.table().equals("tsdb-index") ? 1 : 0);
      super.mutate(family, batch);
    }

    @Override
    public boolean compareAndSet(
        Family family,
        byte[] row,
        byte[] qualifier,
        byte @Nullable [] expected,
        byte @Nullable [] update) {
      if (outOfMemory && family.table().equals("tsdb-uid")) { // not those who write points
        throw new OutOfMemoryError("as if");
      }
      return super.compareAndSet(family, row, qualifier, expected, update);
    }
  }

  private final FailingStore store = new FailingStore();
  private final List<String> replies = new CopyOnWriteArrayList<>();

  private static Tsdb open(FailingStore store, TsdbOptions options) {
    return Tsdb.over(
        store,
        options
            .with(Settings.COMPACTION_BACKGROUND, "false")
            .with(Settings.WRITE_PACKS, "false")
            .with(Settings.AUTO_CREATE_METRICS, "true"));
  }

  private void execute(TelnetLines lines, String text) {
    executeBytes(lines, text.getBytes(ISO_8859_1));
  }

  private static void executeBytes(TelnetLines lines, byte[] bytes) {
    int begin = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        lines.execute(bytes, begin, i, bytes.length);
        begin = i + 1;
      }
    }
    lines.finish();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anyLinesHaveTheEffectsAndRepliesOfEach(boolean strict) {
    TsdbOptions options = strict ? TsdbOptions.openTsdbDefaults() : TsdbOptions.defaults();
    FailingStore other = new FailingStore();
    List<String> expected = new ArrayList<>();
    Random random = new Random(3);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      text.append(line(random, 1_500_000_000 + i)).append('\n');
    }
    try (Tsdb db = open(store, options);
        Tsdb oneByOne = open(other, options)) {
      execute(new Telnet(db).lines(replies::add), text.toString());
      Telnet telnet = new Telnet(oneByOne);
      for (String line : text.toString().split("\n", -1)) {
        String reply = telnet.respond(line).getNow("");
        if (!reply.isEmpty()) {
          expected.add(reply);
        }
      }
    }
    expected.remove(expected.size() - 1); // of the end of the text, which is no line
    assertThat(replies).isEqualTo(expected).hasSizeGreaterThan(1000);
    assertThat(StoredCells.of(store)).isEqualTo(StoredCells.of(other)).hasSizeGreaterThan(5000);
  }

  /** Times differ: which of two points of one time is kept depends on when they are written. */
  private static String line(Random random, long time) {
    String put =
        "put "
            + (random.nextInt(30) == 0 ? "bad?metric" : "sys.cpu" + random.nextInt(3))
            + " "
            + time
            + (random.nextInt(20) == 0 ? ".5" : "")
            + " "
            + (random.nextBoolean() ? random.nextInt(300) : random.nextInt(1000) / 8.0)
            + (random.nextInt(20) == 0 ? "x" : "")
            + " host=web"
            + random.nextInt(10)
            + (random.nextInt(30) == 0 ? " host=other" : "")
            + (random.nextInt(5) == 0 ? "\r" : "");
    return switch (random.nextInt(30)) {
      case 0 -> "";
      case 1 -> "help";
      case 2 -> "rollup 1h-sum sys.cpu0 1500000000 1 host=web0";
      case 3 -> "histogram sys.cpu0 1500000000 00 host=web0";
      case 4 -> "putt m 1500000000 1 host=a";
      case 5 -> put.substring(0, random.nextInt(put.length()));
      default -> put;
    };
  }

  @Test
  void eachPointThatIsNotStoredIsReplied() {
    try (Tsdb db = open(store, TsdbOptions.defaults())) {
      TelnetLines lines = new Telnet(db).lines(replies::add);
      execute(lines, "put m 1500000000 1 host=a\nput m 1500000001 1 host=a\n");
      db.flush();
      store.full = true;
      execute(lines, "put m 1500000002 1 host=a\nput m 1500000003 1 host=a\nput m x 1 host=a\n");
      db.writer().flush();
      assertThat(replies)
          .containsExactlyInAnyOrder(
              "put: storage error: the disk is full\n",
              "put: storage error: the disk is full\n",
              "put: invalid value: timestamp 'x': Invalid character 'x'\n");
    }
  }

  @Test
  void pointsForAClosedDatabaseAreReplied() {
    TelnetLines lines;
    try (Tsdb db = open(store, TsdbOptions.defaults())) {
      lines = new Telnet(db).lines(replies::add);
      execute(lines, "put m 1500000000 1 host=a\n");
    }
    execute(lines, "put m 1500000001 1 host=a\nput m 1500000002 1 host=a\n");
    assertThat(replies).hasSize(2).allMatch(reply -> reply.startsWith("put: internal error: "));
  }

  /** Slow and fast path: the second line is that of a known series. */
  @Test
  void linesAreUtf8() {
    String line = "put m 1500000000 1 h=Per\u00fa\n";
    try (Tsdb db = open(store, TsdbOptions.defaults())) {
      TelnetLines lines = new Telnet(db).lines(replies::add);
      for (int i = 0; i < 2; i++) {
        executeBytes(lines, line.getBytes(UTF_8));
        executeBytes(lines, line.getBytes(ISO_8859_1));
      }
      db.flush();
      assertThat(db.uids().suggest(UidKind.TAGV, "", 10)).containsExactly("Per\u00fa");
      assertThat(db.writer().stats().stored()).isEqualTo(2);
    }
    String refusal = "put: illegal argument: not UTF-8 text\n";
    assertThat(replies).containsExactly(refusal, refusal);
  }

  @Test
  void inStrictModeLinesAreLatin1() {
    TsdbOptions strict = TsdbOptions.openTsdbDefaults();
    String line = "put m 1500000000 1 h=Per\u00fa\n";
    try (Tsdb db = open(store, strict)) {
      TelnetLines lines = new Telnet(db).lines(replies::add);
      executeBytes(lines, line.getBytes(UTF_8));
      executeBytes(lines, line.getBytes(ISO_8859_1));
      db.flush();
      assertThat(db.uids().suggest(UidKind.TAGV, "P", 10))
          .containsExactlyInAnyOrder("Per\u00fa", "Per\u00c3\u00ba");
    }
  }

  @Test
  void aServerThatOnlyReadsTakesNoPoints() {
    String line = "put m 1500000000 1 host=a";
    try (Tsdb db = open(store, TsdbOptions.defaults().with(DaemonSettings.MODE, "ro"))) {
      db.putLine(line).join();
      execute(new Telnet(db).lines(replies::add), line + "\n");
      db.flush();
      assertThat(db.writer().stats().stored()).isEqualTo(1);
      assertThat(replies).containsExactly("unknown command: put.  Try `help'.\n");
    }
  }

  /** Each name would otherwise be noted in the index by itself, and each series be entered so. */
  @Test
  void newSeriesOfOneBatchAreEnteredTogether() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 400; i++) {
      text.append("put m").append(i % 4).append(" 1500000000 1 host=h").append(i / 4).append('\n');
    }
    try (Tsdb db = open(store, TsdbOptions.defaults())) {
      execute(new Telnet(db).lines(replies::add), text.toString());
      db.flush();
      assertThat(db.writer().stats().stored()).isEqualTo(400);
      assertThat(store.indexCalls.get()).isLessThan(60);
    }
    assertThat(replies).isEmpty();
  }

  @Test
  void aNewSeriesBeyondTheLimitIsRefusedByItsOwnReason() {
    TsdbOptions limited =
        TsdbOptions.defaults()
            .with(Settings.MAX_SERIES, "3")
            .with(Settings.MAX_SERIES_PER_METRIC, "n 1");
    StringBuilder text =
        new StringBuilder("put n 1500000000 1 host=a\nput n 1500000000 1 host=b\n");
    for (int i = 0; i < 40; i++) {
      text.append("put m ")
          .append(1_500_000_000 + i)
          .append(" 1 host=h")
          .append(i % 4)
          .append('\n');
    }
    try (Tsdb db = open(store, limited)) {
      Telnet telnet = new Telnet(db);
      execute(telnet.lines(replies::add), text.toString());
      db.flush();
      assertThat(db.writer().stats().stored()).isEqualTo(21);
      assertThat(db.uids().suggest(UidKind.TAGV, "", 10)).containsExactly("a", "h0", "h1");
      assertThat(replies)
          .hasSize(21)
          .startsWith(
              "put: illegal argument: a new series of metric n is refused: the metric has 1 series"
                  + " or more (hourstone.index.max_series_per_metric)\n")
          .endsWith(
              "put: illegal argument: a new series of metric m is refused: there are 3 series or"
                  + " more (hourstone.index.max_series)\n");
      assertThat(telnet.statistics())
          .containsPattern("tsd\\.rpc\\.errors \\d+ 21 .*type=series_limit");
    }
  }

  /** No later line may be looked at: it would not be executed. */
  @Test
  void namesOfLinesAfterACommandAreNotAssigned() {
    try (Tsdb db = open(store, TsdbOptions.defaults())) {
      byte[] text = "put m 1500000000 1 host=a\nexit\nput m 1500000000 1 host=b\n".getBytes(UTF_8);
      TelnetLines lines = new Telnet(db).lines(replies::add);
      lines.execute(text, 0, 25, text.length);
      lines.finish();
      db.flush();
      assertThat(db.uids().suggest(UidKind.TAGV, "", 10)).containsExactly("a");
    }
  }

  /** The lines after one for which memory doesn't suffice may need less, and are executed. */
  @Test
  void aLineThatRunsOutOfMemoryStopsNoOther() {
    try (Tsdb db = open(store, TsdbOptions.defaults())) {
      TelnetLines lines = new Telnet(db).lines(replies::add);
      execute(lines, "put m 1500000000 1 host=a\n");
      store.outOfMemory = true;
      execute(
          lines,
          "put m 1500000001 1 host=a\nput m 1500000002 1 host=new\nput m 1500000003 1 host=a\n");
      store.outOfMemory = false;
      db.flush();
      assertThat(db.writer().stats().stored()).isEqualTo(3);
      assertThat(replies).containsExactly("out of memory: 1 lines were not executed\n");
    }
  }
}
