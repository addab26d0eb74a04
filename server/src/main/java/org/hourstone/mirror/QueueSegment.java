package org.hourstone.mirror;

import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A file of the queue: records, one after the other. Guarded by the queue. */
final class QueueSegment {
  private static final Pattern NAME = Pattern.compile("([0-9]{18})\\.points");

  private final long number;
  private final Path path;

  /** Up to where it has whole records, or all that was found when the queue was opened. */
  private long length;

  private boolean isWritten;

  private QueueSegment(long number, Path path, long length, boolean isWritten) {
    this.number = number;
    this.path = path;
    this.length = length;
    this.isWritten = isWritten;
  }

  /** A new one, to which records are written. */
  static QueueSegment create(Path directory, long number) {
    Path path = directory.resolve(String.format(Locale.ROOT, "%018d.points", number));
    return new QueueSegment(number, path, 0, true);
  }

  /** One that is there; null if the file is not a segment. */
  static @Nullable QueueSegment found(Path path, long length) {
    Matcher name = NAME.matcher(path.getFileName().toString());
    return name.matches()
        ? new QueueSegment(Long.parseLong(name.group(1)), path, length, false)
        : null;
  }

  long number() {
    return number;
  }

  Path path() {
    return path;
  }

  long length() {
    return length;
  }

  void grow(int bytes) {
    length += bytes;
  }

  /** Whether it may grow. */
  boolean isWritten() {
    return isWritten;
  }

  /** No more records will be written to it. */
  void end() {
    isWritten = false;
  }
}
