/**
 * OpenTSDB's HTTP API and telnet commands without their transport: requests and responses are
 * texts. A daemon, a test or a tool adds the network.
 */
@NullMarked
package org.hourstone.api;

import org.jspecify.annotations.NullMarked;
