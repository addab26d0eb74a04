package org.hourstone.query;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** One query being answered: its rows are read, and its groups handed out one by one. */
final class QueryRun implements AutoCloseable {
  private static final long HOUR = 3600;
  private static final long LONGEST_FIRST_SLICE = 24 * HOUR;

  private final ReadingPlan reading;
  private final SliceCutting cutting;
  private final QueryThreads threads;
  private final FutureTask<Queue<SeriesGroup>> task = new FutureTask<>(this::sweep);
  private final DamageTotal damage = new DamageTotal();

  QueryRun(ReadingPlan reading, QueryThreads threads) {
    this.reading = reading;
    this.cutting = SliceCutting.of(reading.query(), reading.plan().range());
    this.threads = threads;
  }

  ReadingPlan reading() {
    return reading;
  }

  /** Has the rows read by another thread. */
  void start() {
    threads.execute(task);
  }

  /** The groups, once all rows are read. Throws what kept them from being read. */
  Queue<SeriesGroup> groups() {
    try {
      return QueryThreads.join(task);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** What was passed over. */
  Damage damage() {
    return damage.sum();
  }

  private Queue<SeriesGroup> sweep() {
    if (reading.plan().chosen() instanceof ChosenSeries.Picked picked
        && picked.tsuids().isEmpty()) {
      return new ArrayDeque<>();
    }
    int salts = reading.keys().schema().distinctSalts();
    boolean together = salts == 1 || reading.plan().chosen() instanceof ChosenSeries.Picked;
    try {
      return new ArrayDeque<>(sweep(together ? 1 : Math.min(salts, threads.count())));
    } catch (Sweep.SaltsMixed e) {
      damage.clear();
      return new ArrayDeque<>(sweep(1));
    }
  }

  private Collection<SeriesGroup> sweep(int parts) {
    Sweep sweep = new Sweep(reading, cutting);
    List<SliceStream> streams = streams(parts);
    try {
      streams.forEach(SliceStream::readAhead);
      for (SliceStream stream = next(streams); stream != null; stream = next(streams)) {
        Slice.Content content = stream.next();
        if (content != null) {
          damage.add(content.damage());
          sweep.accept(content, covered(streams));
        }
      }
      return sweep.finish();
    } catch (RuntimeException | Error e) {
      sweep.abandon();
      throw e;
    } finally {
      streams.forEach(SliceStream::close);
    }
  }

  private List<SliceStream> streams(int parts) {
    int salts = reading.keys().schema().distinctSalts();
    ScanRange range = reading.plan().range();
    long seconds = range.stopSeconds() - range.startSeconds();
    long length = Math.min(seconds / (2L * threads.count()), LONGEST_FIRST_SLICE);
    int ahead = Math.max(1, (threads.count() + 1) / parts);
    List<SliceStream> streams = new ArrayList<>(parts);
    for (int i = 0; i < parts; i++) {
      streams.add(
          new SliceStream(
              reading,
              cutting,
              threads,
              salts * i / parts,
              salts * (i + 1) / parts,
              Math.max(HOUR, length),
              ahead));
    }
    return streams;
  }

  /** The stream that is farthest behind, or null if all are done. */
  private static @Nullable SliceStream next(List<SliceStream> streams) {
    return streams.stream()
        .filter(stream -> !stream.isDone())
        .min(Comparator.comparingLong(SliceStream::covered))
        .orElse(null);
  }

  private static long covered(List<SliceStream> streams) {
    return streams.stream().mapToLong(SliceStream::covered).min().orElseThrow();
  }

  /** Ends the query. May be repeated. */
  @Override
  public void close() {
    reading.use().cancel("its answer is not wanted any more");
    QueryThreads.await(task);
    reading.use().close();
  }
}
