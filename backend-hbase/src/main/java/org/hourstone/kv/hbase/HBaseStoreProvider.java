package org.hourstone.kv.hbase;

import java.time.Duration;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStoreProvider;
import org.hourstone.kv.StoreOptions;
import org.hourstone.kv.StoreUri;

/**
 * Opens HBase's URIs, whose parameters are described in {@code docs/hbase.md}:
 *
 * <ul>
 *   <li>{@code hbase://zk1,zk2:2181/hbase} or, equivalently, {@code hbase+zk://…}: the ZooKeeper
 *       quorum and the parent node, which may be omitted;
 *   <li>{@code hbase+rpc://host:16000,host2:16000}: masters or region servers to contact directly.
 * </ul>
 */
public final class HBaseStoreProvider implements KeyValueStoreProvider {
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
    Opening opening = new Opening(timeout);
    AsyncConnection connection = Connecting.connect(conf, errors, opening.forConnecting());
    Names names = new Names(settings.prefix(), errors);
    return new HBaseStore(
        connection,
        names,
        settings,
        opening,
        timeout,
        ClusterOptions.rpcTimeout(conf),
        SizeLimits.of(conf));
  }
}
