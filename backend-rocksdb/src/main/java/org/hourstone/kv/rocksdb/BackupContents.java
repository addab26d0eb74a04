package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What a directory of backups has. A name does not make a backup: others number their directories,
 * too, by dates for example. What does not prove to be a backup is never changed.
 *
 * @param readable where the backups come from, by number; their lists of files take more memory
 * @param corrupt the numbers of backups whose list of files is corrupt or missing
 * @param unfinished the names of what became no backup, or was to be removed
 * @param others the names of everything else, sorted
 */
record BackupContents(
    SortedMap<Long, Origin> readable,
    SortedSet<Long> corrupt,
    List<String> unfinished,
    List<String> others) {
  /** Of the file that keeps two processes from adding backups at the same time. */
  static final String LOCK = "LOCK";

  private static final String PREFIX = "hourstone-";
  private static final String SUFFIX = ".tmp";
  private static final Pattern NUMBER = Pattern.compile("\\d{6,18}");

  /** No other program makes such a name. */
  private static final Pattern UNFINISHED =
      Pattern.compile(Pattern.quote(PREFIX) + NUMBER + Pattern.quote(SUFFIX));

  private static final Set<String> HARMLESS = Set.of(LOCK, "lost+found");

  /**
   * Where a backup comes from.
   *
   * @param store what distinguishes it from others
   * @param time of the backup
   */
  record Origin(String store, Instant time) {}

  /** Of one directory; empty if it does not exist. */
  static BackupContents of(Path directory) throws IOException {
    BackupContents contents =
        new BackupContents(new TreeMap<>(), new TreeSet<>(), new ArrayList<>(), new ArrayList<>());
    for (String name : BackupFiles.names(directory)) {
      if (UNFINISHED.matcher(name).matches()) {
        contents.unfinished.add(name);
      } else if (!HARMLESS.contains(name)) {
        contents.add(directory.resolve(name), name);
      }
    }
    return contents;
  }

  private void add(Path path, String name) {
    if (!NUMBER.matcher(name).matches()
        || !name(Long.parseLong(name)).equals(name)
        || !Files.isDirectory(path)) {
      others.add(name);
      return;
    }
    long number = Long.parseLong(name);
    try {
      BackupManifest manifest = BackupManifest.read(path);
      if (manifest != null) {
        readable.put(number, new Origin(manifest.store(), manifest.time()));
      } else if (BackupManifest.isBegun(path) || isStore(path)) {
        corrupt.add(number);
      } else {
        others.add(name); // a list of checksums that is not ours
      }
    } catch (NoSuchFileException e) {
      if (isStore(path)) {
        corrupt.add(number);
      } else {
        others.add(name);
      }
    } catch (AccessDeniedException e) {
      others.add(name); // nothing shows whose it is
    } catch (IOException e) {
      corrupt.add(number);
    }
  }

  private static boolean isStore(Path path) {
    return Files.exists(path.resolve(StoreFiles.CURRENT));
  }

  /** The numbers of all backups, ascending. */
  List<Long> numbers() {
    SortedSet<Long> numbers = new TreeSet<>(readable.keySet());
    numbers.addAll(corrupt);
    return List.copyOf(numbers);
  }

  /** The names of what is left alone when backups are added and removed. */
  List<String> leftAlone() {
    List<String> names = new ArrayList<>(others);
    corrupt.forEach(number -> names.add(name(number)));
    names.sort(null);
    return names;
  }

  /** That of a backup. */
  static String name(long number) {
    return String.format(Locale.ROOT, "%06d", number);
  }

  /** That of a backup which is not complete, or no more. */
  static String unfinished(long number) {
    return PREFIX + name(number) + SUFFIX;
  }
}
