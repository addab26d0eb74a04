package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.hourstone.kv.StoreUri;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterOptionsTest {
  @TempDir private Path directory;

  @Test
  void theLocationIsQuorumAndParentNode() {
    Configuration conf = configuration("hbase://zk1,zk2:2182/a/b");

    assertThat(conf.get("hbase.zookeeper.quorum")).isEqualTo("zk1,zk2:2182");
    assertThat(conf.get("zookeeper.znode.parent")).isEqualTo("/a/b");
    assertThat(configuration("hbase+zk://zk1").get("zookeeper.znode.parent")).isEqualTo("/hbase");
  }

  @Test
  void serversMayBeAskedWithoutZooKeeper() {
    Configuration conf = configuration("hbase+rpc://host1:16000,host2:16020");

    assertThat(conf.get("hbase.client.bootstrap.servers")).isEqualTo("host1:16000,host2:16020");
    assertThat(conf.get("hbase.client.registry.impl")).endsWith("RpcConnectionRegistry");
  }

  @Test
  void anOperationAndEachOfItsAttemptsEndInTime() {
    Configuration conf = configuration("hbase://zk");

    assertThat(ClusterOptions.timeout(conf)).isEqualTo(Duration.ofSeconds(60));
    assertThat(conf.getLong("hbase.client.scanner.timeout.period", 0)).isEqualTo(60_000);
    assertThat(conf.getLong("hbase.rpc.timeout", 0)).isEqualTo(10_000);
  }

  @Test
  void thePauseBetweenAttemptsGrowsToTwoSecondsAtMost() throws IOException {
    int longest = HConstants.RETRY_BACKOFF[HConstants.RETRY_BACKOFF.length - 1];
    Configuration conf = configuration("hbase://zk");

    assertThat(conf.getLong("hbase.client.pause", 0) * longest).isEqualTo(2_000);

    Files.writeString(
        directory.resolve("hbase-site.xml"),
        "<configuration><property><name>hbase.client.pause</name><value>100</value></property>"
            + "</configuration>");
    conf = configuration("hbase://zk?conf=" + directory);
    assertThat(conf.get("hbase.client.pause")).isEqualTo("100");
  }

  @Test
  void aSilentZooKeeperAndServerEndAnOperationNoSoonerAndNoLater() {
    Configuration conf = configuration("hbase://zk?timeout=5s");

    assertThat(conf.getLong("zookeeper.registry.async.get.timeout", 0)).isEqualTo(5_000);
    assertThat(conf.getLong("hbase.client.scanner.timeout.period", 0)).isEqualTo(5_000);
  }

  @Test
  void theUriComesBeforeTheFilesAndTheFilesBeforeOurDefaults() throws IOException {
    Files.writeString(
        directory.resolve("hbase-site.xml"),
        """
        <configuration>
          <property><name>hbase.rpc.timeout</name><value>7000</value></property>
          <property><name>hbase.client.operation.timeout</name><value>70000</value></property>
          <property><name>hbase.zookeeper.quorum</name><value>elsewhere</value></property>
          <property><name>zookeeper.znode.parent</name><value>/site</value></property>
        </configuration>
        """);
    Files.writeString(
        directory.resolve("core-site.xml"),
        """
        <configuration>
          <property><name>hadoop.security.authentication</name><value>simple</value></property>
          <property><name>of.core.site</name><value>read</value></property>
        </configuration>
        """);

    Configuration conf = configuration("hbase://zk1?timeout=5s&conf=" + directory);

    assertThat(conf.get("hbase.zookeeper.quorum")).isEqualTo("zk1");
    assertThat(conf.get("zookeeper.znode.parent")).isEqualTo("/site");
    assertThat(ClusterOptions.timeout(conf)).isEqualTo(Duration.ofSeconds(5));
    assertThat(conf.get("hbase.rpc.timeout")).isEqualTo("7000");
    assertThat(conf.get("of.core.site")).isEqualTo("read");
  }

  @Test
  void aKeytabIsLeftToTheClientToLogInWith() throws IOException {
    Path keytab = Files.createFile(directory.resolve("tsd.keytab"));
    writeSite("kerberos", "hbase/_HOST@REALM");

    Configuration conf = configuration(uri("tsd/host@REALM", keytab));

    assertThat(conf.get("hbase.client.keytab.principal")).isEqualTo("tsd/host@REALM");
    assertThat(conf.get("hbase.client.keytab.file")).isEqualTo(keytab.toString());
    assertThat(conf.get("hadoop.security.authentication")).isEqualTo("kerberos");
  }

  @Test
  void aKeytabThatCannotBeReadOrIsNotAskedForIsRefused() throws IOException {
    Path missing = directory.resolve("missing");

    writeSite("simple", "");
    assertThatThrownBy(() -> configuration(uri("tsd@REALM", missing)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no hbase-site.xml says hbase.security.authentication=kerberos");
    writeSite("kerberos", "hbase/_HOST@REALM");
    assertThatThrownBy(() -> configuration(uri("tsd@REALM", missing)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("keytab=" + missing + ": no such file to read");
  }

  @Test
  void kerberosNeedsThePrincipalsOfTheServers() throws IOException {
    writeSite("kerberos", "");

    assertThatThrownBy(() -> configuration("hbase://zk?conf=" + directory))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("but not hbase.master.kerberos.principal");
  }

  private String uri(String principal, Path keytab) {
    return "hbase://zk?conf=%s&principal=%s&keytab=%s".formatted(directory, principal, keytab);
  }

  private void writeSite(String authentication, String servers) throws IOException {
    Configuration site = new Configuration(false);
    site.set("hbase.security.authentication", authentication);
    if (!servers.isEmpty()) {
      site.set("hbase.master.kerberos.principal", servers);
      site.set("hbase.regionserver.kerberos.principal", servers);
    }
    try (OutputStream out = Files.newOutputStream(directory.resolve("hbase-site.xml"))) {
      site.writeXml(out);
    }
  }

  private static Configuration configuration(String uri) {
    return ClusterOptions.of(StoreUri.parse(uri)).configuration();
  }
}
