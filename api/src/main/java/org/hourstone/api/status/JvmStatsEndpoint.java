package org.hourstone.api.status;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.RuntimeMXBean;
import java.lang.management.ThreadInfo;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.internal.Json;
import org.jspecify.annotations.Nullable;

/** {@code /api/stats/jvm} and {@code /api/stats/threads}: the Java process. */
public final class JvmStatsEndpoint implements Endpoint {
  public static final String JVM = "/api/stats/jvm";
  public static final String THREADS = "/api/stats/threads";

  @Override
  public ApiResponse respond(ApiCall call) {
    return ApiResponse.ok(call.path().equals(JVM) ? jvm() : threads());
  }

  private static ObjectNode jvm() {
    ObjectNode jvm = Json.object();
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    jvm.putObject("memory")
        .put("objectsPendingFinalization", memory.getObjectPendingFinalizationCount())
        .<ObjectNode>set("heapMemoryUsage", usage(memory.getHeapMemoryUsage()))
        .set("nonHeapMemoryUsage", usage(memory.getNonHeapMemoryUsage()));
    jvm.putObject("os")
        .put(
            "systemLoadAverage",
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
    jvm.putObject("runtime")
        .put("startTime", runtime.getStartTime())
        .put("uptime", runtime.getUptime())
        .put("vmName", runtime.getVmName())
        .put("vmVendor", runtime.getVmVendor())
        .put("vmVersion", runtime.getVmVersion());
    ObjectNode pools = jvm.putObject("pools");
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      ObjectNode one = pools.putObject(name(pool.getName()));
      one.put("type", pool.getType().name());
      one.set("usage", usage(pool.getUsage()));
      one.set("peakUsage", usage(pool.getPeakUsage()));
      one.set("collectionUsage", usage(pool.getCollectionUsage()));
    }
    ObjectNode gc = jvm.putObject("gc");
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      gc.putObject(name(collector.getName()))
          .put("collectionCount", collector.getCollectionCount())
          .put("collectionTime", collector.getCollectionTime());
    }
    return jvm;
  }

  private static @Nullable ObjectNode usage(@Nullable MemoryUsage usage) {
    return usage == null
        ? null
        : Json.object()
            .put("init", usage.getInit())
            .put("used", usage.getUsed())
            .put("committed", usage.getCommitted())
            .put("max", usage.getMax());
  }

  /** Without blanks, and beginning in lower case. */
  private static String name(String bean) {
    String joined = bean.replace(" ", "");
    return Character.toLowerCase(joined.charAt(0)) + joined.substring(1);
  }

  private static ArrayNode threads() {
    ArrayNode threads = Json.array();
    for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(false, false)) {
      ObjectNode one = threads.addObject();
      one.put("threadID", thread.getThreadId())
          .put("name", thread.getThreadName())
          .put("state", thread.getThreadState().name())
          .put("interrupted", false)
          .put("priority", thread.getPriority());
      ArrayNode stack = one.putArray("stack");
      for (StackTraceElement frame : thread.getStackTrace()) {
        stack.add(frame.toString());
      }
    }
    return threads;
  }
}
