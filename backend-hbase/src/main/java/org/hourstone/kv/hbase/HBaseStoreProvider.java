package org.hourstone.kv.hbase;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStoreProvider;
import org.hourstone.kv.StoreOptions;
import org.hourstone.kv.StoreUri;

/**
 * Answers to HBase's URIs, whose parameters are told in {@code docs/hbase.md}:
 *
 * <ul>
 *   <li>{@code hbase://zk1,zk2:2181/hbase} and, the same, {@code hbase+zk://…}: the ZooKeeper
 *       quorum and the parent node, which may be left out;
 *   <li>{@code hbase+rpc://host:16000,host2:16000}: masters or region servers asked directly.
 * </ul>
 */
public final class HBaseStoreProvider implements KeyValueStoreProvider {
  /** How long an unreachable cluster is tried; the operations' own time-out if that is shorter. */
  private static final Duration OPENING = Duration.ofSeconds(15);

  private static final Set<String> PARAMETERS =
      Set.of(
          ClusterOptions.CONF,
          ClusterOptions.TIMEOUT,
          ClusterOptions.RPC_TIMEOUT,
          ClusterOptions.PRINCIPAL,
          ClusterOptions.KEYTAB,
          StoreSettings.PREFIX,
          StoreSettings.SYNC,
          StoreSettings.WRITE_BUFFER,
          TableOptions.COMPRESSION,
          TableOptions.TTL,
          TableOptions.SPLIT);

  @Override
  public Set<String> schemes() {
    return Set.of(ClusterOptions.ZOOKEEPER, ClusterOptions.ZOOKEEPER_IN_FULL, ClusterOptions.RPC);
  }

  @Override
  public KeyValueStore open(StoreUri uri, StoreOptions options) {
    ClusterOptions cluster = ClusterOptions.of(uri);
    uri.allowOnly(PARAMETERS);
    StoreSettings settings = StoreSettings.of(uri);
    Configuration conf = cluster.configuration();
    HBaseErrors errors = new HBaseErrors(uri.toString());
    Duration timeout = ClusterOptions.timeout(conf);
    AsyncConnection connection = connect(conf, errors, timeout);
    Names names = new Names(settings.prefix(), errors);
    return new HBaseStore(
        connection, names, settings, timeout, ClusterOptions.rpcTimeout(conf), options.clock());
  }

  private static AsyncConnection connect(Configuration conf, HBaseErrors errors, Duration timeout) {
    Duration patience = timeout.compareTo(OPENING) < 0 ? timeout : OPENING;
    if (conf.get("hadoop.security.authentication", "").equalsIgnoreCase("kerberos")) {
      // Hadoop keeps this for the whole JVM, and has so far read what is on the class path only.
      UserGroupInformation.setConfiguration(conf);
    }
    // What Hadoop does when it is first used swallows an interrupt.
    boolean interrupted = Thread.interrupted();
    // Logs in first, if the configuration names a keytab.
    CompletableFuture<AsyncConnection> connecting = ConnectionFactory.createAsyncConnection(conf);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    try {
      return connecting.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | InterruptedException e) {
      var unused = connecting.thenAccept(HBaseStoreProvider::abandon);
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw errors.unreachable(e);
    } catch (ExecutionException e) {
      throw errors.unreachable(e.getCause() == null ? e : e.getCause());
    }
  }

  /** Closes a connection nobody waited for. */
  private static void abandon(AsyncConnection connection) {
    try {
      connection.close();
    } catch (IOException e) {
      // Nobody has it, so there is nobody to tell.
    }
  }
}
