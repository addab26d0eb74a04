package org.hourstone.hbase;

import java.io.InterruptedIOException;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

/**
 * For tests, on the tables that name it: the first change of every row is made at once, and
 * answered so late that a client with a time-out of 2 seconds has given up.
 */
public final class LateAnswers implements RegionCoprocessor, RegionObserver {
  private static final long DELAY_MILLIS = 5_000;

  /** Tables, rows and kinds of changes that were made. */
  private static final Set<String> MADE = ConcurrentHashMap.newKeySet();

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success)
      throws InterruptedIOException {
    String table = context.getEnvironment().getRegionInfo().getTable().getNameAsString();
    boolean late = false;
    for (int i = 0; i < batch.size(); i++) {
      Mutation change = batch.getOperation(i);
      String row = Base64.getEncoder().encodeToString(change.getRow());
      late |= MADE.add(table + " " + row + " " + change.getClass().getSimpleName());
    }
    if (late && success) {
      try {
        Thread.sleep(DELAY_MILLIS);
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
    }
  }
}
