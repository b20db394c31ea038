//! Parameters that tell where a visitor came from and change nothing on the page.

/// Families of names: Google Analytics, Matomo with its forebear Piwik, `HubSpot`, Adobe, Webtrekk,
/// AT Internet, Yahoo's consent, Facebook.
const FAMILIES: [&str; 11] = [
    "utm_",
    "mtm_",
    "matomo_",
    "pk_",
    "piwik_",
    "__hs",
    "_hs",
    "guce_referrer",
    "fb_action_",
    "wt_mc",
    "wt_zmc",
];

/// Single names, by whoever adds them. Names that sites also use for their own ends (`ref`, `source`,
/// `from`, `cid`, `tag`) are left out: dropping them loses pages, keeping them costs a duplicate.
const NAMES: [&str; 49] = [
    // Google: clicks on advertisements, links between domains, shopping results.
    "gclid",
    "gclsrc",
    "dclid",
    "gbraid",
    "wbraid",
    "gad_source",
    "gad_campaignid",
    "_ga",
    "_gl",
    "srsltid",
    // Facebook and Instagram.
    "fbclid",
    "fb_source",
    "fb_ref",
    "igshid",
    "igsh",
    // Microsoft, Yandex, Twitter, TikTok, LinkedIn, Pinterest, Snapchat, Reddit, Yahoo.
    "msclkid",
    "yclid",
    "ysclid",
    "_openstat",
    "twclid",
    "__twitter_impression",
    "ttclid",
    "li_fat_id",
    "epik",
    "sccid",
    "rdt_cid",
    "guccounter",
    // Mailings: Mailchimp, HubSpot, Marketo, Omeda, Vero, MailerLite, Klaviyo, Drip, dotdigital.
    "mc_cid",
    "mc_eid",
    "hsctatracking",
    "mkt_tok",
    "oly_anon_id",
    "oly_enc_id",
    "vero_id",
    "vero_conv",
    "ml_subscriber",
    "ml_subscriber_hash",
    "_kx",
    "_ke",
    "__s",
    "dm_i",
    // Shops and publishers: Adobe, AT Internet, Webtrends, Wicked Reports, Impact, CJ.
    "s_kwcid",
    "ef_id",
    "xtor",
    "wt.mc_id",
    "wickedid",
    "irclickid",
    "cjevent",
    // WordPress: the same page with the form for an answer to one comment.
    "replytocom",
];

/// Whether the parameter, by its name in any case, is one of them.
pub(super) fn is_tracking(name: &str) -> bool {
    let begins =
        |family: &&str| name.get(..family.len()).is_some_and(|it| it.eq_ignore_ascii_case(family));
    FAMILIES.iter().any(begins) || NAMES.iter().any(|it| name.eq_ignore_ascii_case(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: bool) {
        assert_eq!(is_tracking(name), expected, "{name}");
    }

    #[test]
    fn families_and_names_are_known_in_any_case() {
        check("utm_source", true);
        check("UTM_Campaign", true);
        check("GCLID", true);
    }

    #[test]
    fn what_sites_use_themselves_is_left_alone() {
        check("ref", false);
        check("id", false);
        check("utm", false);
        check("münze", false);
    }
}
