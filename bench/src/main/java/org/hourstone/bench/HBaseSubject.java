package org.hourstone.bench;

import java.io.IOException;
import java.util.List;
import org.hourstone.hbase.HBaseProcess;

/** An HBase in a process of its own, and HBase's client. */
record HBaseSubject(HBaseProcess hbase, HBaseClient client) implements Subject {
  /** Starts one. */
  static HBaseSubject start() throws IOException {
    HBaseProcess hbase = HBaseProcess.start(List.of("-Xmx3g", "-XX:-UseSerialGC", "-XX:+UseG1GC"));
    return new HBaseSubject(hbase, HBaseClient.connect(hbase.uri()));
  }

  @Override
  public HBasePlace place() {
    return new HBasePlace(hbase, client);
  }

  @Override
  public double serverCpu() {
    return ProcessCpu.seconds(ProcessHandle.of(hbase.pid()).orElseThrow());
  }

  @Override
  public void close() throws IOException {
    client.close();
    hbase.close();
  }
}
