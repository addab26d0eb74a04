/**
 * OpenTSDB's HTTP API and telnet commands without their transport: requests and responses are text.
 * A daemon, a test or a tool provides the transport.
 */
@NullMarked
package org.hourstone.api;

import org.jspecify.annotations.NullMarked;
