package org.hourstone.tsd;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;

/**
 * Operations on a store's files that fail, as a library preloaded into the daemon, {@code
 * accidents.c}, reads them from a file.
 *
 * @param operations a set of bits
 * @param files the kinds of files, a set of bits
 * @param perMille how many of a thousand operations fail
 */
record Accident(String name, int error, int operations, int files, int perMille) {
  private static final int CREATE = 1;
  private static final int WRITE = 2;
  private static final int SYNC = 4;
  private static final int OPEN = 8;
  private static final int READ = 16;
  private static final int RENAME = 32;
  private static final int ALL_FILES = 15;

  private static final List<Accident> KINDS =
      List.of(
          new Accident("ENOSPC", 28, CREATE | WRITE | RENAME, ALL_FILES, 1000),
          new Accident("EDQUOT", 122, CREATE | WRITE | RENAME, ALL_FILES, 1000),
          new Accident("EROFS", 30, CREATE | WRITE | RENAME, ALL_FILES, 1000),
          new Accident("EFBIG", 27, WRITE, ALL_FILES, 1000),
          new Accident("EMFILE", 24, CREATE | OPEN, ALL_FILES, 1000),
          new Accident("EIO", 5, CREATE | WRITE | SYNC | OPEN | READ | RENAME, ALL_FILES, 1000));

  static final Accident NONE = new Accident("none", 0, 0, 0, 0);

  /** One that concerns some operations on some files. */
  static Accident any(Random random) {
    Accident kind = KINDS.get(random.nextInt(KINDS.size()));
    int operations = kind.operations() & random.nextInt(64);
    int files = 1 + random.nextInt(ALL_FILES);
    int[] rates = {1000, 1000, 300, 30};
    return new Accident(
        kind.name(),
        kind.error(),
        operations == 0 ? kind.operations() : operations,
        random.nextBoolean() ? ALL_FILES : files,
        rates[random.nextInt(rates.length)]);
  }

  /** Whether reading can't fail by it. */
  boolean leavesReads() {
    return (operations & (OPEN | READ)) == 0;
  }

  /** Lets it happen from now on. */
  void begin(Path plan) throws IOException {
    ByteBuffer numbers = ByteBuffer.allocate(5 * Integer.BYTES).order(ByteOrder.nativeOrder());
    numbers.putInt(0).putInt(operations).putInt(files).putInt(perMille).putInt(0).flip();
    if (!Files.exists(plan)) {
      Files.write(plan, new byte[numbers.limit()]);
    }
    try (FileChannel out = FileChannel.open(plan, StandardOpenOption.WRITE)) {
      out.write(numbers, 0);
      out.write(numbers.clear().limit(Integer.BYTES).putInt(0, error), 0);
    }
  }

  /** Ends it, and returns how many operations have failed. */
  static int end(Path plan) throws IOException {
    ByteBuffer numbers = ByteBuffer.wrap(Files.readAllBytes(plan)).order(ByteOrder.nativeOrder());
    NONE.begin(plan);
    return numbers.getInt(4 * Integer.BYTES);
  }

  @Override
  public String toString() {
    return name + " of operations " + operations + ", files " + files + ", " + perMille + "/1000";
  }
}
