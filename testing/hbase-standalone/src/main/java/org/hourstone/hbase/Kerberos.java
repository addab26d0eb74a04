package org.hourstone.hbase;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;

/**
 * A Kerberos of our own for {@link Standalone}: a key distribution centre in this process, on the
 * loopback interface, with one principal for the servers and one for clients. Its keys are new with
 * every start.
 *
 * @param directory where there are, for clients, {@code krb5.conf}, {@code core-site.xml}, {@code
 *     hbase-site.xml} and {@code tsd.keytab}
 */
record Kerberos(Path directory) {
  private static final String REALM = "HOURSTONE.TEST";
  private static final String SERVERS = "hbase/localhost@" + REALM;
  private static final String CLIENT = "tsd@" + REALM;

  /** Starts the centre, which ends with this process, and writes the files. */
  static Kerberos start(Path directory) throws IOException, KrbException {
    Kerberos kerberos = new Kerberos(Files.createDirectories(directory));
    int port = freePort();
    kerberos.writeKrb5Conf(port);
    // For the servers, which run in this process too.
    System.setProperty("java.security.krb5.conf", kerberos.file("krb5.conf").toString());
    SimpleKdcServer centre = new SimpleKdcServer();
    centre.setWorkDir(directory.toFile());
    centre.setKdcRealm(REALM);
    centre.setKdcHost("127.0.0.1");
    centre.setKdcTcpPort(port);
    centre.setAllowUdp(false);
    centre.init();
    centre.start();
    kerberos.writeKeytab(centre, "hbase.keytab", SERVERS);
    kerberos.writeKeytab(centre, "tsd.keytab", CLIENT);
    kerberos.writeSite("core-site.xml", Map.of("hadoop.security.authentication", "kerberos"));
    kerberos.writeSite("hbase-site.xml", site());
    return kerberos;
  }

  /** Makes servers that are configured with this ask their clients for tickets. */
  void configure(Configuration conf) {
    conf.set("hadoop.security.authentication", "kerberos");
    site().forEach(conf::set);
    for (String server : new String[] {"hbase.master", "hbase.regionserver"}) {
      conf.set(server + ".keytab.file", file("hbase.keytab").toString());
    }
    UserGroupInformation.setConfiguration(conf);
  }

  /** What a store's URI needs beyond its location. */
  String parameters() {
    return "?conf=" + directory + "&principal=" + CLIENT + "&keytab=" + file("tsd.keytab");
  }

  private Path file(String name) {
    return directory.resolve(name);
  }

  /** What clients and servers have in common. */
  private static Map<String, String> site() {
    return Map.of(
        "hbase.security.authentication", "kerberos",
        "hbase.master.kerberos.principal", SERVERS,
        "hbase.regionserver.kerberos.principal", SERVERS);
  }

  private void writeSite(String name, Map<String, String> settings) throws IOException {
    Configuration site = new Configuration(false);
    settings.forEach(site::set);
    try (OutputStream out = Files.newOutputStream(file(name))) {
      site.writeXml(out);
    }
  }

  private void writeKeytab(SimpleKdcServer centre, String name, String principal)
      throws IOException, KrbException {
    Files.deleteIfExists(file(name));
    centre.createAndExportPrincipals(file(name).toFile(), principal);
  }

  private void writeKrb5Conf(int port) throws IOException {
    Files.writeString(
        file("krb5.conf"),
        """
        [libdefaults]
          default_realm = %1$s
          dns_lookup_kdc = false
          udp_preference_limit = 1
        [realms]
          %1$s = {
            kdc = 127.0.0.1:%2$d
          }
        """
            .formatted(REALM, port));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
