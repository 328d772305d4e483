package com.example.prices;

import io.micrometer.core.instrument.MeterRegistry;

import org.gradwire.rpc.Rpc;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** A worker with a price list. The first worker calls the second, then both leave. */
@SpringBootApplication
public class Application {

    public static void main(String[] args) {
        SpringApplication.run(Application.class, args);
    }

    @Bean
    ApplicationRunner runner(
            Rpc rpc, HealthIndicator gradwireHealthIndicator, MeterRegistry meters) {
        return _ -> {
            rpc.barrier(); // now each has its price list
            if (rpc.self().id() == 0) {
                IO.println("tea costs " + rpc.rpcSync("worker1", PriceList::price, "tea"));
                IO.println("health: " + gradwireHealthIndicator.health().getStatus());
                IO.println("calls made: " + meters.get("gradwire.client.calls").timer().count());
            }
        };
    }
}
