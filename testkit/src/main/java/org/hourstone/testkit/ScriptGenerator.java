package org.hourstone.testkit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Scan;
import org.hourstone.testkit.ScriptStep.Edit;
import org.hourstone.testkit.ScriptStep.Edit.Kind;
import org.hourstone.testkit.ScriptStep.Element;
import org.hourstone.testkit.ScriptStep.Kept;
import org.jspecify.annotations.Nullable;

/**
 * Generates random scripts over few rows, few qualifiers and few values, so that steps affect each
 * other.
 *
 * @param givenTimes whether puts may be dated, also before a deletion
 * @param qualifiers those of all cells, except of one that may be empty
 */
record ScriptGenerator(RandomGenerator random, boolean givenTimes, List<Bytes> qualifiers) {
  private static final List<Bytes> ROWS = all("00", "0000", "01", "7f", "80", "80ff", "ff", "ffff");

  /** Short qualifiers. */
  static final List<Bytes> SHORT = all("00", "0000", "7f", "80", "80ff", "ff");

  /** Long ones, such as those of multi-point cells, that differ late. */
  static final List<Bytes> LONG =
      all("0000", "0000ffff", "000000000000", "0000ffffffff", "00fe00000000", "000000000001ff");

  /** Its values may be empty, therefore it is not used with compare-and-set. */
  private static final Bytes EMPTYABLE = new Bytes(Binary.hex("65"));

  private static final List<Bytes> VALUES = all("61", "62", "0000000000000001", "00");

  private static List<Bytes> all(String... hex) {
    return Stream.of(hex).map(Binary::hex).map(Bytes::new).toList();
  }

  List<ScriptStep> script(int length) {
    List<ScriptStep> steps = new ArrayList<>();
    while (steps.size() < length) {
      steps.add(step());
    }
    return steps;
  }

  private ScriptStep step() {
    return switch (random.nextInt(15)) {
      case 0, 1, 2, 3, 4 -> mutate();
      case 5 ->
          new ScriptStep.Increment(row(), one(qualifiers), random.nextLong(-1, 2) * (1L << 62));
      case 6, 7, 8 ->
          new ScriptStep.CompareAndSet(row(), one(qualifiers), valueOrNull(), valueOrNull());
      case 9 -> new ScriptStep.Observe(random.nextInt(3), row(), kept());
      case 10, 11 -> new ScriptStep.Replace(random.nextInt(3), puts());
      case 12 -> new ScriptStep.MultiGet(List.of(row(), row(), row()), kept());
      default -> scan();
    };
  }

  private ScriptStep mutate() {
    List<Element> elements = new ArrayList<>();
    Set<Bytes> rows = new HashSet<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      Bytes row = row();
      if (rows.add(row)) {
        elements.add(new Element(row, edits()));
      }
    }
    return new ScriptStep.Mutate(elements);
  }

  private List<Edit> edits() {
    if (random.nextInt(12) == 0) {
      return List.of(new Edit(Kind.DELETE_ROW, new Bytes(new byte[0]), new Bytes(new byte[0]), -1));
    }
    List<Edit> edits = new ArrayList<>(puts());
    Set<Bytes> taken = new HashSet<>(edits.stream().map(Edit::qualifier).toList());
    for (int i = 0; i < 2 || edits.isEmpty(); i++) {
      Bytes qualifier = random.nextInt(6) == 0 ? EMPTYABLE : one(qualifiers);
      if (taken.add(qualifier)) {
        Kind kind = random.nextBoolean() ? Kind.DELETE : Kind.APPEND;
        edits.add(new Edit(kind, qualifier, one(VALUES), Cell.STORE_TIME));
      }
    }
    return edits;
  }

  private List<Edit> puts() {
    List<Edit> puts = new ArrayList<>();
    Set<Bytes> taken = new HashSet<>();
    for (int i = 0; i < random.nextInt(4); i++) {
      long time = givenTimes && random.nextInt(3) == 0 ? random.nextInt(4) : -1;
      Bytes qualifier = one(qualifiers);
      if (taken.add(qualifier)) {
        puts.add(new Edit(Kind.PUT, qualifier, one(VALUES), time));
      }
    }
    if (random.nextInt(5) == 0) {
      puts.add(new Edit(Kind.PUT, EMPTYABLE, new Bytes(new byte[0]), Cell.STORE_TIME));
    }
    return puts;
  }

  private ScriptStep scan() {
    Bytes start = random.nextBoolean() ? new Bytes(new byte[0]) : row();
    String fuzzy =
        switch (random.nextInt(6)) {
          case 0 -> "??";
          case 1 -> "80??";
          case 2 -> "??ff";
          default -> null;
        };
    long limit = random.nextInt(3) == 0 ? random.nextLong(1, 5) : Scan.NO_LIMIT;
    return new ScriptStep.Scanned(start, stop(start), kept(), fuzzy, 1 + random.nextInt(4), limit);
  }

  private Kept kept() {
    List<Bytes> exactly =
        random.nextInt(3) == 0 ? List.of(one(qualifiers), one(qualifiers)) : List.of();
    Bytes start = random.nextInt(3) == 0 ? one(qualifiers) : new Bytes(new byte[0]);
    Bytes stop = random.nextInt(3) == 0 ? one(qualifiers) : null;
    return new Kept(exactly, start, stop);
  }

  /** A row not before {@code start}, or null for the end. */
  private @Nullable Bytes stop(Bytes start) {
    Bytes stop = row();
    return stop.compareTo(start) < 0 ? null : stop;
  }

  private Bytes row() {
    return one(ROWS);
  }

  private @Nullable Bytes valueOrNull() {
    return random.nextInt(3) == 0 ? null : one(VALUES);
  }

  private Bytes one(List<Bytes> of) {
    return of.get(random.nextInt(of.size()));
  }
}
