package org.hourstone.testing.schedule;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hourstone.Tables;
import org.hourstone.codec.Schema;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.tool.UidFsck;
import org.hourstone.tool.UidFsckOptions;
import org.hourstone.uid.NoSuchNameException;
import org.hourstone.uid.NoSuchUidException;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidOptions;
import org.hourstone.uid.UidTable;
import org.jspecify.annotations.Nullable;

/**
 * The names of metrics, assigned, looked up, renamed and deleted. At first {@code cpu} has UID 1.
 *
 * <p>What must be true:
 *
 * <ul>
 *   <li>A process gets only UIDs that the name has had, and none that it had before the process
 *       itself took it from the name. So may its cache hold no others. Nor does it know a UID by a
 *       name that never led to it, unless no other name did either.
 *   <li>Each name leads to a UID that leads back to it, and no two to the same; where operations
 *       were broken off, once they were called again, or after {@code uid fsck --fix}.
 *   <li>An operation that was broken off is completed when it is called again, unless others came
 *       between.
 *   <li>What was acknowledged is done; a UID that no operation deletes keeps a name.
 * </ul>
 */
final class NamesWorld extends World {
  private static final Tables TABLES = new Tables("tsdb", "tsdb-uid", "tsdb-meta", "tsdb-tree");
  private static final Family FORWARD = TABLES.uidIds();
  private static final Family REVERSE = TABLES.uidNames();
  static final UidKind KIND = UidKind.METRIC;
  private static final byte[] QUALIFIER = KIND.qualifier().getBytes(ISO_8859_1);
  private static final Schema SCHEMA = new Schema(1, 1, 1, 0, 20, 8);
  private static final List<String> NAMES = List.of("cpu", "gpu", "mem");
  private static final Operation INITIAL = Operation.initial();

  /** What an operation is to do with names. */
  private record Intent(Operation by, Act act, String name, String other) {}

  /** Of which name an operation has found the UID. */
  private record Result(Operation by, String name) {}

  enum Act {
    ASSIGN,
    DELETE,
    RENAME
  }

  private final Map<Bytes, HeldValues> forward = new HashMap<>();
  private final Map<Bytes, HeldValues> reverse = new HashMap<>();
  private final Map<SimulatedProcess, UidTable> tables = new LinkedHashMap<>();
  private final List<Intent> intents = new ArrayList<>();
  private final Map<Result, Bytes> results = new HashMap<>();
  private final boolean warm;

  /** How many operations there were after the schedule. */
  private int since;

  /**
   * @param warm whether processes know the UID of {@code cpu} at the beginning
   */
  NamesWorld(Personality personality, long millisPerCall, boolean warm) {
    super(personality, 1_400_000_000_000L, millisPerCall);
    this.warm = warm;
    store().ensure(TABLES.families(), SchemaMode.CREATE);
    table(store()).assign(KIND, "cpu");
    advance(1000);
    for (String name : NAMES) {
      record(FORWARD, new Bytes(latin(name)), null);
    }
    for (byte uid = 1; uid <= 6; uid++) {
      record(REVERSE, new Bytes(new byte[] {uid}), null);
    }
  }

  private UidTable table(KeyValueStore over) {
    return new UidTable(
        over,
        FORWARD,
        REVERSE,
        SCHEMA,
        new UidOptions(EnumSet.allOf(UidKind.class), Set.of(), 100, Duration.ZERO),
        Backoff.none(),
        this,
        new Random(1));
  }

  /** Adds an actor who does things one after the other, whatever becomes of them. */
  void actor(SimulatedProcess process, NameTask... tasks) {
    UidTable table =
        tables.computeIfAbsent(
            process,
            any -> {
              UidTable made = table(storeOf(process));
              if (warm) {
                made.find(KIND, "cpu");
                made.name(KIND, new byte[] {1});
              }
              return made;
            });
    actor(
        process.name + "." + process.actors.size(),
        process,
        () -> {
          for (NameTask task : tasks) {
            task.run(this, process, table);
          }
        });
  }

  /**
   * Performs an operation that finds the UID of a name, which must be one that the name has had
   * since the process took it away.
   *
   * @param uid may return null
   */
  void lookUp(
      SimulatedProcess process,
      String text,
      @Nullable Act act,
      String name,
      Supplier<byte @Nullable []> uid) {
    HeldValues held = held(forward, new Bytes(latin(name)));
    int[] after = new int[1];
    Operation operation =
        perform(
            process,
            text,
            act,
            name,
            "",
            by -> {
              after[0] = held.takenBy.getOrDefault(process, -1);
              byte[] found = uid.get();
              if (found != null) {
                results.put(new Result(by, name), new Bytes(found));
              }
            });
    check(operation, name, held, after[0]);
  }

  /** Performs an operation that assigns UIDs to several names together. */
  void assign(SimulatedProcess process, List<String> names) {
    Map<String, HeldValues> held = new HashMap<>();
    names.forEach(name -> held.put(name, held(forward, new Bytes(latin(name)))));
    Map<String, Integer> after = new HashMap<>();
    Operation operation = new Operation("assign " + names, process);
    names.forEach(name -> intents.add(new Intent(operation, Act.ASSIGN, name, "")));
    UidTable table = Objects.requireNonNull(tables.get(process));
    perform(
        operation,
        () -> {
          held.forEach((name, of) -> after.put(name, of.takenBy.getOrDefault(process, -1)));
          table
              .uidsForWriting(KIND, names)
              .forEach((name, uid) -> results.put(new Result(operation, name), new Bytes(uid)));
        });
    held.forEach((name, of) -> check(operation, name, of, after.getOrDefault(name, -1)));
  }

  /** Performs an operation; {@code act} is null if it changes no name. */
  Operation perform(
      SimulatedProcess process,
      String text,
      @Nullable Act act,
      String name,
      String other,
      Consumer<Operation> action) {
    Operation operation = new Operation(text, process);
    if (act != null) {
      intents.add(new Intent(operation, act, name, other));
    }
    perform(operation, () -> action.accept(operation));
    return operation;
  }

  @Override
  boolean isScheduled(Family family) {
    return true;
  }

  @Override
  boolean isAnswer(RuntimeException e) {
    return e instanceof NoSuchNameException
        || e instanceof NoSuchUidException
        || e instanceof RequestException;
  }

  @Override
  void changed(Step step) {
    step.rows.forEach(row -> record(Objects.requireNonNull(step.family), row, step.actor.process));
  }

  private void record(Family family, Bytes row, @Nullable SimulatedProcess by) {
    byte[] value = store().get(family, row.array(), Columns.exactly(QUALIFIER)).find(QUALIFIER);
    Bytes now = value == null ? null : new Bytes(value);
    HeldValues held = held(family.equals(FORWARD) ? forward : reverse, row);
    Bytes before = held.values.isEmpty() ? null : held.now();
    if (held.values.isEmpty() || !Objects.equals(before, now)) {
      held.values.add(now);
      if (by != null && before != null) {
        held.takenBy.put(by, held.values.size() - 2);
      }
    }
  }

  private HeldValues held(Map<Bytes, HeldValues> of, Bytes row) {
    return of.computeIfAbsent(row, any -> new HeldValues());
  }

  private void check(Operation operation, String name, HeldValues held, int after) {
    Bytes uid = results.get(new Result(operation, name));
    if (operation.acknowledged && uid != null) {
      check(operation.name + " has the answer", name, held, after, uid);
    }
  }

  /** A value must be one that was there since some moment. */
  private static void check(String who, String key, HeldValues held, int after, Bytes value) {
    if (!held.since(after).contains(value)) {
      throw new AssertionError(
          who
              + " "
              + ScheduledStore.text(value.array())
              + " for "
              + key
              + ", which has had "
              + held.values
              + (after < 0 ? "" : " and lost it by itself after number " + after));
    }
  }

  @Override
  void verify(Choices choices) {
    tables.forEach(
        (process, table) -> {
          if (!process.crashed) {
            checkCache(process, table);
          }
        });
    List<Operation> brokenOff = operations().stream().filter(Operation::wasBrokenOff).toList();
    if (!brokenOff.isEmpty()) {
      if (choices.next(2) == 0) {
        intents.stream()
            .filter(intent -> brokenOff.contains(intent.by()))
            .toList()
            .forEach(this::again);
      } else {
        fsck();
      }
    }
    checkTable();
    for (String name : NAMES) {
      Register<Bytes> register = register(name);
      Bytes uid = uid(name);
      if (!register.allows(uid)) {
        throw new AssertionError(name + " has UID " + uid + "; " + register);
      }
    }
    checkReachable();
    UidTable fresh = table(store());
    NAMES.forEach(name -> fresh.uidForWriting(KIND, name));
    checkTable();
  }

  private void checkCache(SimulatedProcess process, UidTable table) {
    for (String name : NAMES) {
      HeldValues held = held(forward, new Bytes(latin(name)));
      byte[] uid = table.find(KIND, name);
      if (uid != null) {
        check(
            process.name + " knows",
            name,
            held,
            held.takenBy.getOrDefault(process, -1),
            new Bytes(uid));
      }
    }
    for (Map.Entry<Bytes, HeldValues> entry : reverse.entrySet()) {
      Bytes uid = entry.getKey();
      try {
        Bytes name = new Bytes(latin(table.name(KIND, uid.array())));
        if (!entry.getValue().since(process).contains(name)
            && !held(forward, name).since(process).contains(uid)) {
          throw new AssertionError(
              process.name
                  + " knows UID "
                  + uid
                  + " as "
                  + ScheduledStore.text(name.array())
                  + ", which was its name never, or not since the process took it away");
        }
        if (hasLedTo(uid) && !held(forward, name).values.contains(uid)) {
          throw new AssertionError(
              process.name
                  + " knows UID "
                  + uid
                  + " as "
                  + ScheduledStore.text(name.array())
                  + ", which never led to it; others did");
        }
      } catch (NoSuchUidException e) {
        // It has none.
      }
    }
  }

  /** Whether some name has led to a UID. */
  private boolean hasLedTo(Bytes uid) {
    return forward.values().stream().anyMatch(held -> held.values.contains(uid));
  }

  /** Repeats an interrupted operation, as another caller. */
  private void again(Intent intent) {
    UidTable table = table(store());
    Operation again = new Operation("again: " + intent.by().name, null);
    again.start = afterwards();
    operations().add(again);
    intents.add(new Intent(again, intent.act(), intent.name(), intent.other()));
    try {
      switch (intent.act()) {
        case ASSIGN ->
            results.put(
                new Result(again, intent.name()),
                new Bytes(table.uidForWriting(KIND, intent.name())));
        case DELETE -> table.delete(KIND, intent.name());
        case RENAME -> table.rename(KIND, intent.name(), intent.other());
      }
      again.acknowledged = true;
      again.changes = 1;
    } catch (NoSuchNameException | RequestException e) {
      again.failure = e;
      checkRefusal(intent, e);
      fsck(); // it has come too far, or others have come between
    }
    again.end = again.start;
  }

  /** After the schedule, and after what else was done since. */
  private int afterwards() {
    return schedule().now() + since++;
  }

  /** It may be refused if there is nothing left to do, or another operation came between. */
  private void checkRefusal(Intent intent, RuntimeException refusal) {
    Bytes uid = uid(intent.name());
    boolean isRename = intent.act() == Act.RENAME;
    Bytes taken = isRename ? uid(intent.other()) : null;
    if (uid != null && (taken == null || taken.equals(uid)) && !hasThirdName(uid, intent)) {
      throw new AssertionError(
          intent.by().name + " was broken off and can't be completed: " + refusal.getMessage());
    }
  }

  private boolean hasThirdName(Bytes uid, Intent intent) {
    byte[] back = store().get(REVERSE, uid.array(), Columns.exactly(QUALIFIER)).find(QUALIFIER);
    return back != null
        && !Arrays.equals(back, latin(intent.name()))
        && !Arrays.equals(back, latin(intent.other()));
  }

  private void fsck() {
    List<String> found = new ArrayList<>();
    new UidFsck(
            store(),
            FORWARD,
            REVERSE,
            List.of(),
            SCHEMA,
            new UidFsckOptions(true, false, false),
            finding -> found.add(finding.toString()))
        .run();
    Operation fsck = new Operation("uid fsck: " + found, null);
    fsck.acknowledged = true;
    fsck.start = afterwards();
    fsck.end = fsck.start;
    operations().add(fsck);
  }

  private Map<String, Bytes> table() {
    Map<String, Bytes> names = new LinkedHashMap<>();
    try (RowCursor rows =
        store()
            .scan(
                FORWARD, Scan.range(new byte[] {'!'}, null).columns(Columns.exactly(QUALIFIER)))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        names.put(new String(row.key(), ISO_8859_1), new Bytes(row.value(0)));
      }
    }
    return names;
  }

  private @Nullable Bytes uid(String name) {
    return table().get(name);
  }

  private void checkTable() {
    Map<String, Bytes> names = table();
    Set<Bytes> uids = new HashSet<>();
    names.forEach(
        (name, uid) -> {
          byte[] back =
              store().get(REVERSE, uid.array(), Columns.exactly(QUALIFIER)).find(QUALIFIER);
          if (!Arrays.equals(back, latin(name))) {
            throw new AssertionError(
                name
                    + " leads to "
                    + uid
                    + ", which leads to "
                    + ScheduledStore.text(back)
                    + ": "
                    + names);
          }
          if (!uids.add(uid)) {
            throw new AssertionError("two names have UID " + uid + ": " + names);
          }
          if (!NAMES.contains(name)) {
            throw new AssertionError("a name that no operation gave: " + names);
          }
        });
  }

  private Register<Bytes> register(String name) {
    Register<Bytes> register = new Register<>();
    register.set(INITIAL, name.equals("cpu") ? new Bytes(new byte[] {1}) : null);
    for (Intent intent : intents) {
      Operation by = intent.by();
      boolean takesPart = by.hasBegun() && (by.acknowledged || by.wasBrokenOff());
      if (!takesPart) {
        continue;
      }
      if (intent.act() == Act.ASSIGN && intent.name().equals(name) && by.changes > 0) {
        if (by.acknowledged) {
          register.set(by, results.get(new Result(by, name)));
        } else {
          register.setToSomething(by);
        }
      } else if (intent.act() != Act.ASSIGN && intent.name().equals(name)) {
        register.set(by, null);
      } else if (intent.act() == Act.RENAME && intent.other().equals(name)) {
        register.setToSomething(by);
      }
    }
    return register;
  }

  private void checkReachable() {
    Map<String, Bytes> names = table();
    Set<Bytes> deletable = new HashSet<>();
    for (Intent intent : intents) {
      if (intent.act() == Act.DELETE) {
        deletable.addAll(held(forward, new Bytes(latin(intent.name()))).values);
      }
    }
    forward.forEach(
        (name, held) -> {
          for (Bytes uid : held.values) {
            if (uid != null
                && uid.array().length == 1
                && !deletable.contains(uid)
                && !names.containsValue(uid)) {
              throw new AssertionError("UID " + uid + " has lost its name: " + names);
            }
          }
        });
  }

  private static byte[] latin(String text) {
    return text.getBytes(ISO_8859_1);
  }
}
