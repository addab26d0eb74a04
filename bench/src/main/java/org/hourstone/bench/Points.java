package org.hourstone.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.hourstone.write.PointWriter;
import org.hourstone.write.SeriesPoints;
import org.hourstone.write.SeriesWriter;

/**
 * The points of an import file in memory, as a program would have them that writes through handles:
 * for each its series, time and typed value, without any text.
 */
final class Points {
  /** A series by its names. */
  record SeriesName(String metric, Map<String, String> tags) {}

  private static final int HOUR = 3600;
  private static final byte INTEGER = 0;
  private static final byte FLOAT = 1;
  private static final byte DOUBLE = 2;

  private final List<SeriesName> names = new ArrayList<>();
  private int size;
  private int[] series = new int[1024];
  private long[] timestamps = new long[1024];
  private double[] values = new double[1024];
  private byte[] types = new byte[1024];

  private Points() {}

  /** Reads a file of correct import lines. */
  static Points read(Path file) throws IOException {
    Points points = new Points();
    Map<String, Integer> known = new HashMap<>();
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ", 4);
        String text = words[0] + ' ' + words[3];
        int number = known.computeIfAbsent(text, name -> points.name(words[0], words[3]));
        points.add(number, Long.parseLong(words[1]), words[2]);
      }
    }
    return points;
  }

  private int name(String metric, String tagsText) {
    Map<String, String> tags = new LinkedHashMap<>();
    for (String tag : tagsText.split(" ")) {
      int equals = tag.indexOf('=');
      tags.put(tag.substring(0, equals), tag.substring(equals + 1));
    }
    names.add(new SeriesName(metric, tags));
    return names.size() - 1;
  }

  private void add(int number, long timestamp, String text) {
    if (size == series.length) {
      series = Arrays.copyOf(series, size * 2);
      timestamps = Arrays.copyOf(timestamps, size * 2);
      values = Arrays.copyOf(values, size * 2);
      types = Arrays.copyOf(types, size * 2);
    }
    double value = Double.parseDouble(text);
    boolean integer = text.chars().noneMatch(c -> c == '.' || c == 'e' || c == 'E');
    series[size] = number;
    timestamps[size] = timestamp;
    values[size] = value;
    // Decimals get 4 bytes where that loses nothing, as import lines do: so the cells are the same.
    types[size] = integer ? INTEGER : (float) value == value ? FLOAT : DOUBLE;
    size++;
  }

  int size() {
    return size;
  }

  /** The names of the series, by number. */
  List<SeriesName> series() {
    return names;
  }

  /** The time of the first point, in seconds. */
  long start() {
    return timestamps[0];
  }

  /**
   * Puts every point, in the order of the file, by the handle of its series; returns when all are
   * stored. Before each new hour it waits for the points of the hour before, as their rows become
   * due then.
   *
   * @param clock the database's, in milliseconds, which is set to the time of each point
   */
  void put(SeriesWriter[] handles, PointWriter writer, AtomicLong clock)
      throws InterruptedException {
    Stored stored = new Stored();
    SeriesPoints to = writer.seriesPoints(stored);
    for (int i = 0; i < size; i++) {
      long time = timestamps[i];
      if (time * 1000 != clock.get()) {
        if (time % HOUR == 0) {
          to.send();
          stored.await(i);
        }
        clock.set(time * 1000);
      }
      switch (types[i]) {
        case INTEGER -> to.add(handles[series[i]], time, (long) values[i], 0);
        case FLOAT -> to.add(handles[series[i]], time, (float) values[i], 0);
        default -> to.add(handles[series[i]], time, values[i], 0);
      }
    }
    to.send();
    stored.await(size);
  }
}
