package org.hourstone.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hourstone.internal.OutOfMemoryReport;

/** Decides by a connection's first byte which protocol it speaks: a capital letter begins HTTP. */
@SuppressWarnings("FutureReturnValueIgnored") // closing
final class FirstByte extends ByteToMessageDecoder {
  private final Consumer<ChannelPipeline> http;
  private final Consumer<ChannelPipeline> telnet;
  private final Supplier<RefusedConnection> tooMany;

  /**
   * @param tooMany what takes its place if there are too many connections
   */
  FirstByte(
      Consumer<ChannelPipeline> http,
      Consumer<ChannelPipeline> telnet,
      Supplier<RefusedConnection> tooMany) {
    this.http = http;
    this.telnet = telnet;
    this.tooMany = tooMany;
  }

  /** What takes the place of this in a connection too many. */
  RefusedConnection tooMany() {
    return tooMany.get();
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    ChannelPipeline pipeline = context.pipeline();
    (isHttp(in) ? http : telnet).accept(pipeline);
    pipeline.remove(this); // passes the bytes on to the handlers just added
  }

  static boolean isHttp(ByteBuf in) {
    byte first = in.getByte(in.readerIndex());
    return first >= 'A' && first <= 'Z';
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
    if (event instanceof ChannelInputShutdownEvent || event == Connections.Stop.NOW) {
      context.close(); // no protocol handler will do it
    } else {
      super.userEventTriggered(context, event);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    OutOfMemoryReport.report(cause);
    context.close(); // disconnected, or not using TLS
  }
}
