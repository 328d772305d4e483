package com.example.prices;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** A price list: a bean that calls of other workers use. */
@Component
public final class PriceList {
    private final Environment environment;

    public PriceList(Environment environment, Rpc rpc) {
        this.environment = environment;
        rpc.locals().get(PriceList.class, () -> this);
    }

    /** Return what the list of the called worker says. */
    @RemoteCallable
    public static double price(String article) {
        return Rpc.current().locals().get(PriceList.class, PriceList::missing).find(article);
    }

    private static PriceList missing() {
        throw new IllegalStateException("no price list yet; call after a barrier");
    }

    private double find(String article) {
        return environment.getRequiredProperty("prices." + article, Double.class);
    }
}
